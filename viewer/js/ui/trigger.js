// SPDX-License-Identifier: MIT
// A trigger in the panel: how the compiler was entered, from where, and the stack when it is asked for.
import { element } from "../base/dom.js";
import { formatCount, formatNumberOf, formatPlace, formatShare, formatTime } from "../base/format.js";
import { callerText } from "../data/causes.js";

/** What the classes mean. */
export const CLASS_TEXT = {
  dispatch: "a call whose method was chosen at run time",
  toplevel: "top-level code",
  task: "the start of a task",
  precompile: "a precompile directive",
  return_type: "return_type or promote_op",
  reflection: "code_typed and the like",
  eval: "eval or invokelatest in a function",
  ccallback: "C code called Julia",
  load: "a package was loaded",
};

export function triggerWord(profile, row) {
  const text = CLASS_TEXT[row.word] || "it is not known how";
  return element(
    "dl",
    { class: "pairs" },
    element("dt", {}, "Total"),
    element("dd", {}, formatTime(row.total), " ", element("small", {}, formatShare(row.total, profile.inference))),
    element("dt", {}, "Roots"),
    element("dd", {}, formatCount(row.count)),
    element("dt", {}, "Entered by"),
    element("dd", {}, row.word ? element("span", { class: "flag" }, row.word) : "–"),
    element("dt", { class: "off-screen" }, "That is"),
    element("dd", { class: "wide" }, text),
  );
}

function placeItem(place) {
  const where = place.isC && !place.line ? place.file.replace(/^.*\//, "") : formatPlace(place.file, place.line);
  return element(
    "li",
    { class: place.isC ? "of-c" : "" },
    element("span", { class: "name" }, place.name),
    where ? element("span", { class: "place" }, where) : null,
    place.isInlined ? element("span", { class: "note" }, "inlined") : null,
  );
}

function placeList(places) {
  return element("ol", { class: "places" }, ...places.map(placeItem));
}

/** Items are made when it is opened: a stack may be long. */
function stackSection(causes, row) {
  if (row.stack.length === 0) {
    return element("p", { class: "place" }, "No stack was recorded of it.");
  }
  const places = causes.stackOf(row);
  const of = row.count > 1 ? " of the first root" : "";
  const made = element("details", { class: "stack" }, element("summary", {}, `Stack${of}: ${formatNumberOf(places.length, "place")}`));
  made.addEventListener("toggle", () => made.open && made.children.length === 1 && made.append(placeList(places)));
  return made;
}

export function triggerSections(causes, row) {
  const place = formatPlace(row.file, row.line);
  return [
    element("h3", {}, "Called from"),
    element("p", { class: "caller" }, callerText(row)),
    place ? element("p", { class: "place" }, place) : null,
    row.isNear || !row.caller ? null : element("p", { class: "place" }, "What stands between them could not be looked up: this may have called the real caller."),
    ...(row.chain.length > 1 ? [element("h3", {}, "Inlined at the call"), placeList(row.chain)] : []),
    stackSection(causes, row),
  ];
}
