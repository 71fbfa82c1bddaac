// SPDX-License-Identifier: MIT
// Puts it all together: loads the frames block by block, shows what is there, and carries choices between state and views.
import { breathe, byId, copyText, element, nextFrame } from "./base/dom.js";
import { formatCount, formatNumberOf, formatShare, formatTime, setHomes } from "./base/format.js";
import { Analysis } from "./data/analysis.js";
import { Base } from "./data/base.js";
import { Causes } from "./data/causes.js";
import { KEY_KINDS } from "./data/keys.js";
import { WEIGHT_COLUMNS } from "./data/merge.js";
import { Profile } from "./data/profile.js";
import { unpack, unpackJson } from "./data/unpack.js";
import { CHANGE_KIND, COLOR_KINDS, FOUND_COLOR, makePalette } from "./draw/palette.js";
import { showCrumbs } from "./ui/crumbs.js";
import { showDetails } from "./ui/details.js";
import { currentTheme, makeThemeButton, showFacts, showNotes } from "./ui/header.js";
import { makeHelp, openHelp } from "./ui/help.js";
import { showLegend } from "./ui/legend.js";
import { selectionOf, State } from "./ui/state.js";
import { keyThing, selectedThing } from "./ui/things.js";
import { hideTooltip, showTooltip } from "./ui/tooltip.js";
import { AdviceView } from "./views/advice.js";
import { FlameView } from "./views/flame.js";
import { SandwichView } from "./views/sandwich.js";
import { TableView } from "./views/table.js";
import { TimelineView } from "./views/timeline.js";
import { TriggersView } from "./views/triggers.js";

const VIEWS = {
  timeline: TimelineView,
  flame: FlameView,
  table: TableView,
  sandwich: SandwichView,
  triggers: TriggersView,
  advice: AdviceView,
};
const VIEW_NAMES = Object.keys(VIEWS);
const CHARTS = ["timeline", "flame", "sandwich"];
const GROUPED = ["flame", "table", "sandwich"]; // by the key that is chosen

/** What is shown first: as the page was asked for; of one that compares, what changed. */
function defaultsOf(about) {
  const compares = about.has_base ? { view: "flame", color: CHANGE_KIND, sort: "dself" } : {};
  return { by: KEY_KINDS.includes(about.by) ? about.by : "instance", weight: about.weight, ...compares };
}

/** What can be chosen. */
function allowedOf(about) {
  return {
    view: VIEW_NAMES,
    by: KEY_KINDS,
    color: about.has_base ? [...COLOR_KINDS, CHANGE_KIND] : COLOR_KINDS,
    weight: Object.keys(WEIGHT_COLUMNS).slice(0, about.has_base ? 4 : 2),
  };
}

class App {
  constructor(profile) {
    this.profile = profile;
    this.analysis = new Analysis(profile);
    this.state = new State(defaultsOf(profile.about), allowedOf(profile.about));
    this.views = {};
    this.stale = new Set(VIEW_NAMES); // views that show what is no more
    this.isLoaded = false;
    for (const [name, View] of Object.entries(VIEWS)) {
      this.views[name] = new View(this);
    }
    this.state.onChange((changed) => this.stateChanged(changed));
    makeControls(this);
    this.recolor();
  }

  get view() {
    return this.views[this.viewName];
  }

  get viewName() {
    return this.state.get("view");
  }

  /** What widths of merged trees are. */
  get weight() {
    return this.state.get("weight");
  }

  // ---- what views ask for

  select(text) {
    this.state.set({ sel: text });
  }

  hover(canvas, thing, x, y) {
    if (thing) {
      const place = canvas.getBoundingClientRect();
      showTooltip(this.profile, thing, place.left + x, place.top + y);
    } else {
      hideTooltip();
    }
  }

  focusOn(key) {
    if (key >= 0) {
      this.state.set({ sel: `key:${key}`, view: "sandwich" });
    }
  }

  /** The key of the selection; without one, that with the greatest self time. */
  focusedKey() {
    const thing = this.selected();
    return thing && thing.key >= 0 ? thing.key : this.analysis.greatestKey(this.state.get("by"));
  }

  selected() {
    return selectedThing(this.analysis, this.state, selectionOf(this.state.get("sel")));
  }

  // ---- showing

  /** More frames have come. */
  framesCame() {
    this.analysis.forget();
    VIEW_NAMES.forEach((name) => this.stale.add(name));
    this.showView();
  }

  loaded() {
    this.isLoaded = true;
    this.framesCame();
    this.runSearch();
    for (const view of Object.values(this.views)) {
      view.isAxisStale = true;
    }
    this.showView();
    this.showSelection();
  }

  showView() {
    const shown = this.isLoaded ? this.viewName : "timeline"; // what is merged waits for all frames
    for (const name of VIEW_NAMES) {
      byId(`panel-${name}`).hidden = name !== shown;
      byId(`tab-${name}`).setAttribute("aria-selected", String(name === shown));
      byId(`tab-${name}`).tabIndex = name === shown ? 0 : -1;
    }
    byId("by-choice").hidden = !GROUPED.includes(shown);
    byId("weight-choice").hidden = !["flame", "sandwich"].includes(shown);
    for (const id of ["legend", "color-choice", "reset", "crumbs"]) {
      byId(id).hidden = !CHARTS.includes(shown);
    }
    byId("subbar").hidden = !CHARTS.includes(shown) && !GROUPED.includes(shown);
    byId("details").hidden = shown === "advice"; // nothing is selected there
    hideTooltip();
    if (this.stale.delete(shown)) {
      this.views[shown].update();
    } else if (this.isLoaded) {
      this.views[shown].syncSelection();
    }
    if (this.views[shown].isAxisStale) {
      this.views[shown].isAxisStale = false;
      this.views[shown].syncAxis();
    }
  }

  showSelection() {
    const isSandwich = this.viewName === "sandwich" && this.profile.n > 0;
    const thing = isSandwich ? keyThing(this.analysis, this.state.get("by"), this.focusedKey()) : this.selected();
    this.showThing(thing, thing && this.zoomAction(thing));
    showCrumbs(() => this.resetZoom(), thing ? this.view.pathTo(thing) : []);
  }

  showThing(thing, zoom) {
    showDetails(this.analysis, this.state.get("by"), thing, {
      zoom,
      focus: this.canFocus(thing) ? () => this.focusOn(thing.key) : null,
      ...this.waysToFrames(thing),
      find: () => this.findAll(thing),
      clear: () => this.select(""),
      isCount: this.weight.startsWith("count"),
      choose: (key) => this.select(`key:${key}`),
    });
  }

  /** Of a trigger: to its first root, in the views of frames. */
  waysToFrames(thing) {
    if (!thing || thing.kind !== "trigger" || thing.frame < 0 || CHARTS.includes(this.viewName)) {
      return {};
    }
    const go = (view) => () => {
      this.state.set({ view });
      this.view.zoomTo(view === "flame" ? this.view.selectedNode() : thing.frame);
    };
    return { timeline: go("timeline"), flame: go("flame") };
  }

  canFocus(thing) {
    return thing && thing.key >= 0 && (this.viewName !== "sandwich" || thing.key !== this.focusedKey());
  }

  zoomAction(thing) {
    const isInChart = this.view.chart && this.view.chart.selected && thing.kind !== "key";
    return isInChart ? () => this.view.chart.zoomToSelected() : null;
  }

  resetZoom() {
    if (this.view.chart) {
      this.view.chart.reset();
    }
  }

  findAll(thing) {
    const text = `/^${thing.name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}$/`;
    byId("search").value = text;
    this.state.set({ q: text });
  }

  runSearch() {
    const found = this.analysis.search(this.state.get("q"));
    if (byId("search").value !== this.state.get("q")) {
      byId("search").value = this.state.get("q");
    }
    byId("found").textContent = foundText(this.profile, found);
    byId("found").title = byId("found").textContent;
    this.showLegend();
    VIEW_NAMES.forEach((name) => this.stale.add(name));
  }

  recolor() {
    this.palette = makePalette(this.profile, this.state.get("color"), formatTime);
    const fills = this.palette.fills(currentTheme());
    const look = { fills: [...fills, FOUND_COLOR[currentTheme()]], colors: themeColors() };
    Object.values(this.views).forEach((view) => view.setLook(look));
    this.showLegend();
  }

  showLegend() {
    const theme = currentTheme();
    const fills = this.palette.fills(theme);
    showLegend(this.palette, fills, this.profile.about.inference_ns, this.analysis.found ? FOUND_COLOR[theme] : "");
  }

  stateChanged(changed) {
    byId("by").value = this.state.get("by");
    byId("color").value = this.state.get("color");
    byId("weight").value = this.weight;
    if (!this.isLoaded) {
      return;
    }
    if (changed.has("by")) {
      this.keepSelection();
    }
    if (changed.has("weight")) {
      this.state.note("zoom", ""); // it was in another unit
      this.views.flame.isAxisStale = true;
    }
    if (changed.has("color")) {
      this.recolor();
    }
    if (changed.has("q")) {
      this.runSearch();
    }
    if (["by", "color", "weight", "sort", "order", "tsort", "torder", "class"].some((name) => changed.has(name))) {
      VIEW_NAMES.forEach((name) => this.stale.add(name));
    }
    if (changed.has("at") || changed.has("zoom")) {
      Object.values(this.views).forEach((view) => {
        view.isAxisStale = true;
      });
    }
    this.showView();
    this.showSelection();
  }

  /** Nodes and keys are numbered anew when grouping changes: the selection goes to the key that has its instance. */
  keepSelection() {
    const old = this.selectedInstance;
    const selection = selectionOf(this.state.get("sel"));
    if (selection && selection.kind !== "frame" && selection.kind !== "trigger") {
      const key = old === undefined ? -1 : this.analysis.keys(this.state.get("by")).ofInstance[old];
      this.state.note("sel", key >= 0 ? `key:${key}` : "");
    }
    this.state.note("zoom", "");
    this.views.flame.isAxisStale = true;
  }

  /** Called before grouping changes. */
  rememberInstance() {
    const thing = this.selected();
    const keys = this.analysis.keys(this.state.get("by"));
    this.selectedInstance = thing && thing.key >= 0 ? keys.keys[thing.key].instance : undefined;
  }
}

function foundText(profile, found) {
  if (!found) {
    return "";
  }
  if (found.error) {
    return found.error;
  }
  const parts = [
    formatNumberOf(found.frames, "frame"),
    `total ${formatShare(found.total, profile.inference)}`,
    `self ${formatShare(found.self, profile.inference)}`,
  ];
  return parts.map((part) => part.replace(/ /g, "\u00a0")).join(" · "); // lines break between them alone
}

function themeColors() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    background: color("background"),
    text: color("text"),
    muted: color("muted"),
    line: color("line"),
    band: color("band"),
    accent: color("accent"),
    soft: color("accent-soft"),
  };
}

// ---- controls

function fillSelect(id, words, chosen, onChange) {
  const select = byId(id);
  const nice = { self: "self time", count: "frames", "time-before": "time before", "count-before": "frames before" };
  select.append(...words.map((word) => element("option", { value: word }, nice[word] || word)));
  select.value = chosen;
  select.addEventListener("change", () => onChange(select.value));
}

function makeControls(app) {
  const { state } = app;
  fillSelect("by", KEY_KINDS, state.get("by"), (by) => {
    app.rememberInstance();
    state.set({ by });
  });
  fillSelect("weight", state.allowed.weight, app.weight, (weight) => state.set({ weight }));
  fillSelect("color", state.allowed.color, state.get("color"), (color) => state.set({ color }));
  VIEW_NAMES.forEach((name) => byId(`tab-${name}`).addEventListener("click", () => state.set({ view: name })));
  document.querySelector(".tabs").addEventListener("keydown", (event) => tabKeys(app, event));
  byId("reset").addEventListener("click", () => app.resetZoom());
  byId("copy-link").addEventListener("click", () => {
    state.writeNow();
    copyText(location.href);
  });
  let waiting = 0;
  byId("search").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => state.set({ q: event.target.value }), 120);
  });
  makeThemeButton(() => {
    app.recolor();
    VIEW_NAMES.forEach((name) => app.stale.add(name));
    app.showView();
  });
  makeHelp();
  document.addEventListener("keydown", (event) => pageKeys(app, event));
}

function tabKeys(app, event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step) {
    event.preventDefault();
    const at = (VIEW_NAMES.indexOf(app.viewName) + step + VIEW_NAMES.length) % VIEW_NAMES.length;
    app.state.set({ view: VIEW_NAMES[at] });
    byId(`tab-${VIEW_NAMES[at]}`).focus();
  }
}

function escape(app) {
  if (app.state.get("q")) {
    byId("search").value = "";
    app.state.set({ q: "" });
  } else {
    app.select("");
  }
}

function pageKeys(app, event) {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open || (isTyping && event.key !== "Escape")) {
    return;
  }
  const thing = event.key === "c" && app.selected();
  if (/^[1-9]$/.test(event.key) && Number(event.key) <= VIEW_NAMES.length) {
    app.state.set({ view: VIEW_NAMES[Number(event.key) - 1] });
  } else if (event.key === "/") {
    event.preventDefault();
    byId("search").focus();
  } else if ((event.key === "n" || event.key === "N") && app.analysis.found && app.view.nextMatch) {
    app.view.nextMatch(event.key === "n" ? 1 : -1);
  } else if (event.key === "?") {
    openHelp();
  } else if (event.key === "Escape") {
    escape(app);
  } else if (thing) {
    copyText(thing.name);
  }
}

// ---- loading

function showProgress(done, all) {
  byId("loading-done").style.width = `${(100 * done) / all}%`;
  byId("loading-text").textContent = `${formatCount(done)} of ${formatCount(all)} frames`;
}

function fail(text) {
  byId("loading").classList.add("failed");
  byId("loading-text").textContent = text;
}

async function loadBase(profile) {
  const base = new Base(profile, await unpackJson(byId("base").textContent));
  for (const block of document.querySelectorAll("script.base-frames")) {
    base.append(await unpack(block.textContent));
    block.remove();
    await breathe();
  }
  byId("base").remove();
  return base;
}

/** Shows the first block at once, then what there is whenever it has doubled: so showing costs no more than loading. */
async function load() {
  if (typeof DecompressionStream === "undefined") {
    fail("This browser is too old: it lacks DecompressionStream (Chrome 103, Firefox 113, Safari 16.4 have it).");
    return;
  }
  const about = await unpackJson(byId("about").textContent);
  const profile = new Profile(about, about.frames);
  setHomes(about.processes.map((process) => process.cwd));
  showFacts(about);
  const app = new App(profile);
  let shown = 0;
  for (const block of document.querySelectorAll("script.frames")) {
    profile.append(await unpack(block.textContent));
    block.remove(); // the text is needed no more
    if (profile.n >= 2 * shown) {
      app.framesCame();
      if (shown === 0) {
        await nextFrame(); // what is first in sight is painted before the rest is read
        performance.mark("snoopi-first-frames");
      }
      shown = profile.n;
    }
    showProgress(profile.n, about.frames);
    await breathe();
  }
  if (about.has_base) {
    app.analysis.base = await loadBase(profile);
    showFacts(about, app.analysis.base);
  }
  app.analysis.causes = new Causes(profile, await unpackJson(byId("causes").textContent));
  byId("causes").remove();
  app.loaded();
  showNotes(profile);
  byId("loading").hidden = true;
  performance.mark("snoopi-loaded");
  document.documentElement.dataset.loaded = "true";
}

load().catch((error) => fail(`This page is damaged: ${error.message}`));
