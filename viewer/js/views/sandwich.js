// SPDX-License-Identifier: MIT
// One thing between those that caused it (above) and those it caused (below).
import { byId, element, replaceChildren } from "../base/dom.js";
import { formatNumberOf, formatShare, formatTime } from "../base/format.js";
import { nextTo } from "../data/focus.js";
import { WEIGHT_COLUMNS } from "../data/merge.js";
import { Chart } from "../draw/chart.js";
import { nodeThing, thingSentence } from "../ui/things.js";
import { changesOfKeys } from "../views/changes.js";
import { mergedBand } from "../views/flame.js";

const LISTED = 40;

export class SandwichView {
  constructor(app) {
    this.app = app;
    this.chart = new Chart(byId("sandwich"), {
      select: (box) => box && this.choose(box),
      hover: (box, x, y) => app.hover(this.chart.canvas, box && this.thing(box), x, y),
      moved: () => {},
      describe: (box) => thingSentence(app.profile, this.thing(box)),
    });
  }

  thing(box) {
    return nodeThing(this.app.analysis, this.app.state.get("by"), this.chart.bands[box.band].merger, box.id);
  }

  setLook(look) {
    this.chart.setLook(look);
  }

  syncAxis() {}

  syncSelection() {
    if (this.key !== this.app.focusedKey()) {
      this.update();
    }
  }

  /** The details tell about it; their button puts it into the middle. */
  choose(box) {
    this.app.showThing(this.thing(box), null);
  }

  update() {
    const { analysis, state } = this.app;
    const by = state.get("by");
    this.key = this.app.focusedKey();
    if (analysis.keys(by).keys.length === 0) {
      return;
    }
    const weight = this.app.weight.split("-")[0]; // what was before has no callers here
    const isCount = weight === "count";
    const focus = analysis.focus(by, this.key, weight);
    const ofKey = changesOfKeys(this.app);
    const colored = (tree) => mergedBand(this.app, tree, ofKey && ((id) => ofKey(tree.merger.key[id])));
    const name = analysis.keys(by).keys[this.key].label;
    const callers = colored(focus.callers);
    Object.assign(callers, { title: "Callers", note: "who it was inferred for", isUpward: true, firstRow: 1, nRows: callers.nRows - 1 });
    callers.rowOf = (id) => focus.callers.levels.row[id] - 1;
    callers.parentOf = (id) => focus.callers.merger.parent[id] || -1;
    const callees = colored(focus.callees);
    Object.assign(callees, { title: "Itself and its callees", note: shorten(name) });
    this.chart.selected = null;
    this.chart.setBands([callers, callees], Math.max(focus.callees.merger[WEIGHT_COLUMNS[weight]][0], 1), { isCount });
    this.chart.axis.set(0, this.chart.axis.max);
    this.chart.centre();
    this.showLists(focus, name, weight);
  }

  showLists({ callers, callees }, name, weight) {
    replaceChildren(
      byId("sandwich-lists"),
      element("h2", {}, "Callers"),
      ...this.list(callers.merger, weight, "Nothing: it was always entered from outside of inference."),
      element("h2", {}, "Callees"),
      ...this.list(callees.merger, weight, "Nothing below it was inferred."),
    );
    byId("sandwich-lists").setAttribute("aria-label", `Callers and callees of ${name}`);
  }

  list(merger, weight, emptyText) {
    const nodes = nextTo(merger, weight);
    if (nodes.length === 0) {
      return [element("p", {}, emptyText)];
    }
    const items = nodes.slice(0, LISTED).map((node) => this.item(merger, weight, node));
    const rest = nodes.length > LISTED ? element("p", {}, `and ${formatNumberOf(nodes.length - LISTED, "other")}`) : null;
    return [element("ol", {}, ...items), rest];
  }

  item(merger, weight, node) {
    const thing = nodeThing(this.app.analysis, this.app.state.get("by"), merger, node);
    const size = merger[WEIGHT_COLUMNS[weight]];
    const value = `${weight === "count" ? formatNumberOf(size[node], "frame") : formatTime(size[node])} · ${formatShare(size[node], size[0])}`;
    return element(
      "li",
      {},
      element(
        "button",
        { type: "button", title: thing.name, onclick: () => this.app.focusOn(thing.key) },
        element("span", { class: "label" }, thing.name),
        element("span", { class: "value" }, value),
      ),
    );
  }

  nextMatch() {}

  pathTo() {
    const { analysis, state } = this.app;
    const { keys } = analysis.keys(state.get("by"));
    return this.key < keys.length ? [{ name: keys[this.key].label, go: () => this.chart.reset() }] : [];
  }
}

function shorten(name) {
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}
