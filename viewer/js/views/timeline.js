// SPDX-License-Identifier: MIT
// Frames in real time, a lane for each thread of each process. What is empty is time outside of inference.
import { byId } from "../base/dom.js";
import { formatTime } from "../base/format.js";
import { matchesBefore } from "../data/levels.js";
import { Chart } from "../draw/chart.js";
import { frameThing, thingSentence } from "../ui/things.js";
import { rangeOf, rangeText, selectionOf } from "../ui/state.js";
import { changesOfKeys } from "../views/changes.js";
import { Overview } from "../views/overview.js";

const NO_LEVELS = { order: [], rowStart: [0, 0], begin: [], end: [], lengthBefore: [0], n: 0 };

function processTitle(process) {
  return `${process.role || "julia"} · process ${process.index}`;
}

function processNote(process) {
  const parts = [];
  if (process.julia) {
    parts.push(`Julia ${process.julia}`);
  }
  parts.push(`pid ${process.pid}`);
  parts.push(`inference ${formatTime(process.inference_ns)} of ${formatTime(process.wall_ns)}`);
  return parts.join(" · ");
}

export class TimelineView {
  constructor(app) {
    this.app = app;
    this.isTimeSet = false;
    this.chart = new Chart(byId("timeline"), {
      select: (box) => app.select(box ? `frame:${box.id}` : ""),
      hover: (box, x, y) => app.hover(this.chart.canvas, box && this.thing(box), x, y),
      moved: () => this.moved(),
      describe: (box) => thingSentence(app.profile, this.thing(box)),
    });
    this.overview = new Overview(byId("overview"), this.chart.axis);
  }

  thing(box) {
    return frameThing(this.app.analysis, this.app.state.get("by"), box.id);
  }

  moved() {
    this.overview.repaint();
    if (this.isTimeSet) {
      this.app.state.note("at", rangeText(this.chart.axis));
    }
  }

  setLook(look) {
    this.chart.setLook(look);
    this.overview.setColors(look.colors);
  }

  /** Frames came, or search or colours changed. */
  update() {
    const { profile, analysis } = this.app;
    const levels = analysis.levels();
    const { found } = analysis;
    const matches = found ? matchesBefore(levels, (id) => found.isMatch[id]) : null;
    const bands = [];
    for (const process of profile.about.processes) {
      bands.push(...this.bandsOf(process, levels, matches));
    }
    const ends = profile.about.processes.map((p) => p.begin_ns + p.wall_ns);
    const marks = profile.about.marks.map((mark) => ({ time: mark.time_ns, name: mark.name }));
    this.chart.setBands(bands, Math.max(1, lastEnd(profile), ...ends), { marks });
    this.overview.setLevels(profile, levels);
    this.syncSelection();
  }

  /** A process without frames has a lane too: that it lived, and why there is nothing to see. */
  bandsOf(process, levels, matches) {
    const lanes = this.app.profile.lanes.map((lane, index) => ({ ...lane, index })).filter((lane) => lane.process === process.index);
    lanes.sort((a, b) => a.thread - b.thread);
    const life = process.wall_ns > 0 ? [process.begin_ns, process.begin_ns + process.wall_ns] : null;
    const title = processTitle(process);
    const note = processNote(process);
    if (lanes.length === 0) {
      return [{ title, note: `${note} · ${process.reason || "no frames"}`, levels: NO_LEVELS, firstRow: 0, nRows: 1, life, matches: null, lane: -1 }];
    }
    return lanes.map((lane, i) => ({
      ...this.source(levels, matches),
      title: lanes.length > 1 || lane.thread > 0 ? `${title} · thread ${lane.thread}` : title,
      note: i === 0 ? note : "",
      firstRow: levels.firstRow[lane.index],
      nRows: levels.nRows[lane.index],
      life,
      lane: lane.index,
    }));
  }

  source(levels, matches) {
    const { profile, analysis, palette } = this.app;
    const { found } = analysis;
    const changeOf = changesOfKeys(this.app);
    return {
      levels,
      matches,
      isMatch: (id) => found.isMatch[id] === 1,
      colorOf: (id) => palette.colorOf(profile.instance[id], profile.flags[id], profile.self[id], changeOf && changeOf(analysis.keys(this.app.state.get("by")).ofInstance[profile.instance[id]])),
      labelOf: (id) => profile.instances[profile.instance[id]].name,
      parentOf: (id) => profile.parent[id],
      rowOf: (id) => profile.depth[id],
    };
  }

  boxOf(frame) {
    const band = this.chart.bands.findIndex((b) => b.lane === this.app.profile.lane[frame]);
    return band >= 0 && frame < this.app.profile.n ? { band, id: frame } : null;
  }

  syncSelection() {
    const frame = this.selectedFrame();
    this.chart.select(frame >= 0 ? this.boxOf(frame) : null);
  }

  /** The selection as a frame, or -1: a node that was selected in the flame graph has a first one. */
  selectedFrame() {
    const { state, analysis, profile } = this.app;
    const selection = selectionOf(state.get("sel"));
    if (selection && selection.kind === "node" && this.app.isLoaded) {
      const merger = analysis.merger(state.get("by"));
      return selection.id < merger.n ? merger.first[selection.id] : -1;
    }
    if (selection && selection.kind === "trigger") {
      const thing = this.app.selected();
      return thing ? thing.frame : -1;
    }
    return selection && selection.kind === "frame" && selection.id < profile.n ? selection.id : -1;
  }

  /** Takes the axis from the state: at the start, and when the address was changed. */
  syncAxis() {
    const range = rangeOf(this.app.state.get("at"));
    this.isTimeSet = true;
    this.chart.axis.set(range ? range.from : 0, range ? range.to : this.chart.axis.max);
  }

  zoomTo(frame) {
    const box = this.boxOf(frame);
    if (box) {
      this.chart.select(box);
      this.chart.zoomTo(box);
    }
  }

  /** Frames that match, in the order of time. */
  nextMatch(step) {
    const { profile, analysis } = this.app;
    const selected = this.chart.selected;
    let i = selected ? selected.id : step > 0 ? -1 : profile.n;
    do {
      i += step;
    } while (i >= 0 && i < profile.n && !analysis.found.isMatch[i]);
    if (i >= 0 && i < profile.n) {
      const box = this.boxOf(i);
      this.chart.choose(box);
      this.chart.revealInTime(box);
    }
  }

  pathTo(thing) {
    const { profile } = this.app;
    const path = [];
    for (let frame = thing.kind === "key" ? -1 : this.selectedFrame(); frame >= 0; frame = profile.parent[frame]) {
      const at = frame;
      path.unshift({ name: profile.instances[profile.instance[at]].name, go: () => this.goTo(at) });
    }
    return path;
  }

  goTo(frame) {
    this.app.select(`frame:${frame}`);
    this.zoomTo(frame);
  }
}

function lastEnd(profile) {
  let last = 0;
  for (let i = 0; i < profile.n; i++) {
    if (profile.parent[i] < 0 && profile.end[i] > last) {
      last = profile.end[i];
    }
  }
  return last;
}
