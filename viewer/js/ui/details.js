// SPDX-License-Identifier: MIT
// The panel about what is selected.
import { byId, copyText, element, replaceChildren } from "../base/dom.js";
import { formatShare, formatTime } from "../base/format.js";
import { keyThing, thingPairs, whereText } from "../ui/things.js";
import { triggerSections, triggerWord } from "../ui/trigger.js";

const TOPS = 12;
const KIND_TEXT = { frame: "One frame", node: "Frames on this path", trigger: "Inferred because of a call" };

function frameFacts(profile, frame) {
  const lane = profile.lanes[profile.lane[frame]];
  return element(
    "dl",
    { class: "pairs" },
    element("dt", {}, "Began at"),
    element("dd", {}, formatTime(profile.begin[frame])),
    element("dt", {}, "Process"),
    element("dd", {}, `${lane.process}, thread ${lane.thread}`),
  );
}

function button(text, action) {
  return element("button", { type: "button", onclick: action }, text);
}

function actions(thing, on) {
  const made = [button("Copy name", () => copyText(thing.name))];
  if (on.zoom) {
    made.push(button("Zoom to it", on.zoom));
  }
  if (on.focus) {
    made.push(button("Callers and callees", on.focus));
  }
  if (on.timeline) {
    made.push(button("On the timeline", on.timeline), button("In the flame graph", on.flame));
  }
  if (thing.key >= 0) {
    made.push(button("Find all", on.find));
  }
  made.push(button("Clear", on.clear));
  return element("div", { class: "actions" }, ...made);
}

function keySection(analysis, by, thing) {
  if (thing.key < 0 || thing.kind === "key") {
    return [];
  }
  const whole = keyThing(analysis, by, thing.key);
  const isSameName = whole.name === thing.name;
  return [
    element("h3", {}, `All frames of this ${by}`),
    isSameName ? null : element("p", { class: "place" }, whole.name),
    thingPairs(analysis.profile, whole),
  ];
}

/** Without a selection: what costs most, to begin with. */
function showTops(panel, analysis, by, choose) {
  const { keys } = analysis.keys(by);
  const { self } = analysis.sums(by);
  const greatest = keys.map((_, key) => key).sort((a, b) => self[b] - self[a] || a - b).slice(0, TOPS).filter((key) => self[key] > 0);
  const item = (key) =>
    element(
      "li",
      {},
      element(
        "button",
        { type: "button", title: keys[key].label, onclick: () => choose(key) },
        element("span", { class: "label" }, keys[key].label),
        element("span", { class: "value" }, `${formatTime(self[key])} · ${formatShare(self[key], analysis.profile.inference)}`),
      ),
    );
  replaceChildren(
    panel,
    element("p", { class: "hint" }, "A click on a box or a row tells more about it, a double click zooms to it; ? has the keys."),
    greatest.length > 0 ? element("p", { class: "kind" }, "Greatest self time") : null,
    element("ol", { class: "tops", "aria-label": "Greatest self time" }, ...greatest.map(item)),
  );
}

/** @param on  {zoom, focus, timeline, flame (each may be null), find, clear, choose} */
export function showDetails(analysis, by, thing, on) {
  const panel = byId("details");
  if (!thing) {
    showTops(panel, analysis, by, on.choose);
    return;
  }
  const { profile } = analysis;
  const kind = KIND_TEXT[thing.kind] || `All frames of this ${by}`;
  replaceChildren(
    panel,
    element("p", { class: "kind" }, kind),
    element("h2", { class: "clamp" }, thing.name),
    element("p", { class: "place" }, whereText(thing)),
    thing.kind === "trigger" ? triggerWord(profile, thing.row) : thingPairs(profile, thing),
    thing.kind === "frame" ? frameFacts(profile, thing.id) : null,
    actions(thing, on),
    ...(thing.kind === "trigger" ? triggerSections(analysis.causes, thing.row) : []),
    ...keySection(analysis, by, thing),
  );
}
