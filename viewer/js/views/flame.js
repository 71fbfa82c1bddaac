// SPDX-License-Identifier: MIT
// The whole recording merged: equal paths are one box, the greatest stand left. The width is time.
import { byId } from "../base/dom.js";
import { matchesBefore } from "../data/levels.js";
import { nodeOfFrame, WEIGHT_COLUMNS } from "../data/merge.js";
import { Chart } from "../draw/chart.js";
import { nodeThing, thingSentence } from "../ui/things.js";
import { rangeOf, rangeText, selectionOf } from "../ui/state.js";
import { changesOfNodes } from "../views/changes.js";

/** A band of a merged tree; the sandwich has two. @param changeOf  by node, or null */
export function mergedBand(app, { merger, levels }, changeOf) {
  const { profile, analysis, palette, state } = app;
  const keys = analysis.keys(state.get("by"));
  const byKey = analysis.matches(state.get("by"));
  const isMatch = (id) => merger.key[id] >= 0 && byKey[merger.key[id]] === 1;
  return {
    levels,
    merger,
    matches: byKey ? matchesBefore(levels, isMatch) : null,
    isMatch,
    colorOf: (id) => (merger.key[id] < 0 ? 0 : palette.colorOf(keys.keys[merger.key[id]].instance, merger.flags[id], merger.self[id], changeOf && changeOf(id))),
    labelOf: (id) => (merger.key[id] < 0 ? "All inference" : keys.keys[merger.key[id]].label),
    parentOf: (id) => merger.parent[id],
    rowOf: (id) => levels.row[id],
    firstRow: 0,
    nRows: levels.rowStart.length - 1,
    life: null,
  };
}

export class FlameView {
  constructor(app) {
    this.app = app;
    this.chart = new Chart(byId("flame"), {
      select: (box) => app.select(box ? `node:${box.id}` : ""),
      hover: (box, x, y) => app.hover(this.chart.canvas, box && this.thing(box.id), x, y),
      moved: () => this.moved(),
      describe: (box) => thingSentence(app.profile, this.thing(box.id)),
    });
  }

  get merger() {
    return this.app.analysis.merger(this.app.state.get("by"));
  }

  thing(node) {
    return nodeThing(this.app.analysis, this.app.state.get("by"), this.merger, node);
  }

  moved() {
    if (this.isTimeSet) {
      this.app.state.note("zoom", rangeText(this.chart.axis));
    }
  }

  setLook(look) {
    this.chart.setLook(look);
  }

  update() {
    const weight = this.app.weight;
    const merged = this.app.analysis.merged(this.app.state.get("by"), weight);
    const band = mergedBand(this.app, merged, changesOfNodes(this.app, merged));
    this.chart.setBands([band], Math.max(merged.merger[WEIGHT_COLUMNS[weight]][0], 1), { isCount: weight.startsWith("count") });
    this.syncSelection();
  }

  syncSelection() {
    const node = this.selectedNode();
    const isPlaced = node >= 0 && !Number.isNaN(this.chart.bands[0].levels.begin[node]);
    this.chart.select(isPlaced ? { band: 0, id: node } : null);
  }

  /** The selection as a node of this tree, or -1: a frame that was selected on the timeline has one. */
  selectedNode() {
    const { state, analysis, profile } = this.app;
    const selection = selectionOf(state.get("sel"));
    if (selection && selection.kind === "node" && selection.id < this.merger.n) {
      return selection.id;
    }
    const thing = selection && selection.kind !== "key" ? this.app.selected() : null;
    return thing && thing.frame >= 0 ? nodeOfFrame(this.merger, profile, analysis.keys(state.get("by")), thing.frame) : -1;
  }

  syncAxis() {
    const range = rangeOf(this.app.state.get("zoom"));
    this.isTimeSet = true;
    this.chart.axis.set(range ? range.from : 0, range ? range.to : this.chart.axis.max);
  }

  zoomTo(node) {
    this.chart.zoomTo({ band: 0, id: node });
  }

  /** Nodes that match, row by row. */
  nextMatch(step) {
    const band = this.chart.bands[0];
    const { order } = band.levels;
    const selected = this.chart.selected;
    let at = selected ? order.indexOf(selected.id) : step > 0 ? -1 : order.length;
    do {
      at += step;
    } while (at >= 0 && at < order.length && !band.isMatch(order[at]));
    if (at >= 0 && at < order.length) {
      this.chart.choose({ band: 0, id: order[at] });
      this.chart.revealInTime({ band: 0, id: order[at] });
    }
  }

  pathTo(thing) {
    const path = [];
    for (let node = thing.kind === "key" ? 0 : this.selectedNode(); node > 0; node = this.merger.parent[node]) {
      const at = node;
      path.unshift({ name: this.thing(at).name, go: () => this.goTo(at) });
    }
    return path;
  }

  goTo(node) {
    this.app.select(`node:${node}`);
    this.chart.zoomToSelected();
  }
}
