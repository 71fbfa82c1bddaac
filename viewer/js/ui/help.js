// SPDX-License-Identifier: MIT
// The help dialogue.
import { byId, element, replaceChildren } from "../base/dom.js";

const HELP_KEYS = [
  [["1", "…", "6"], "timeline, flame graph, table, callers and callees, triggers, advice"],
  [["/"], "search; n and N go to the next and the last match"],
  [["↑", "↓", "←", "→"], "from box to box: caller, callee, neighbours"],
  [["Enter"], "zoom to the selection (also a double click)"],
  [["+", "−"], "zoom (also w, s and the wheel)"],
  [["Shift ←", "Shift →"], "move along (also a, d and dragging)"],
  [["PgUp", "PgDn"], "scroll rows (also Shift and the wheel)"],
  [["0"], "all in sight again"],
  [["c"], "copy the name of the selection"],
  [["Esc"], "clear the search, then the selection"],
];

const WORDS = [
  ["frame", "one run of type inference over one method instance"],
  ["self", "its own time, without the frames below it; all self times add up to inference"],
  ["total", "with all below it; recursion counts once"],
  ["constprop", "inferred again for constant arguments"],
  ["repeated", "the same instance and arguments had been inferred before in this process"],
  ["invalidated", "it had been inferred, and a definition made that void"],
  ["root", "a frame that was entered from outside of inference"],
  ["trigger", "the call that entered the compiler for a root"],
  ["gaps in the timeline", "the program ran, or the compiler did something other than inference"],
];

const SEARCH = [
  ["getindex Int64", "names that have both words"],
  ["module:Base.Iterators", "also package:, file: and flag:"],
  ["/^sum\\(/", "a regular expression"],
];

function list(pairs, makeTerm) {
  return element("dl", {}, ...pairs.flatMap(([term, text]) => [element("dt", {}, ...makeTerm(term)), element("dd", {}, text)]));
}

export function makeHelp() {
  const dialog = byId("help");
  const keyTerm = (keys) => keys.flatMap((key) => [element("kbd", {}, key), " "]);
  replaceChildren(
    dialog,
    element("h2", { id: "help-title" }, "Where Julia spends its time inferring types"),
    element("p", {}, "A box is a frame of inference; the boxes below it were inferred on its account. Its width is its time."),
    element("h3", {}, "Keys"),
    list(HELP_KEYS, keyTerm),
    element("h3", {}, "Search"),
    list(SEARCH, (term) => [element("kbd", {}, term)]),
    element("h3", {}, "Words"),
    list(WORDS, (term) => [term]),
    element("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close"),
  );
  byId("help-button").addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

export function openHelp() {
  byId("help").showModal();
}
