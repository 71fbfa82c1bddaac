// SPDX-License-Identifier: MIT
// The panel about what is selected.
import { byId, copyText, element, replaceChildren } from "../base/dom.js";
import { formatCount, formatShare, formatSigned, formatTime } from "../base/format.js";
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

/** What stands on top without a selection: {title, values, text(value), isChange}. */
function topsOf(analysis, by, isCount) {
  const sums = analysis.sums(by);
  if (!analysis.base) {
    const text = (value) => `${formatTime(value)} · ${formatShare(value, analysis.profile.inference)}`;
    return { title: "Greatest self time", values: sums.self, text, isChange: false };
  }
  return isCount
    ? { title: "Greatest changes of count", values: sums.dcount, text: (value) => formatSigned(value, formatCount), isChange: true }
    : { title: "Greatest changes of self time", values: sums.dself, text: (value) => formatSigned(value, formatTime), isChange: true };
}

/** Without a selection, to begin with: what costs most; of a page that compares, what changed most. */
function showTops(panel, analysis, by, { choose, isCount }) {
  const { keys } = analysis.keys(by);
  const { title, values, text, isChange } = topsOf(analysis, by, isCount);
  const order = keys.map((_, key) => key).sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]) || a - b);
  const item = (key) => {
    const label = element("span", { class: "label" }, keys[key].label);
    const className = isChange ? (values[key] > 0 ? "value grew" : "value shrank") : "value";
    const value = element("span", { class: className }, text(values[key]));
    return element("li", {}, element("button", { type: "button", title: keys[key].label, onclick: () => choose(key) }, label, value));
  };
  const tops = order.slice(0, TOPS).filter((key) => values[key] !== 0);
  replaceChildren(
    panel,
    element("p", { class: "hint" }, "A click on a box or a row tells more about it, a double click zooms to it; ? has the keys."),
    tops.length > 0 ? element("p", { class: "kind" }, title) : null,
    element("ol", { class: "tops", "aria-label": title }, ...tops.map(item)),
  );
}

/** @param on  {zoom, focus, timeline, flame (each may be null), find, clear, choose, isCount: whether widths count frames} */
export function showDetails(analysis, by, thing, on) {
  const panel = byId("details");
  if (!thing) {
    showTops(panel, analysis, by, on);
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
