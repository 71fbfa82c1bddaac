// SPDX-License-Identifier: MIT
// Who caused inference: the calls that entered the compiler, a row for each pair of callee and caller.
import { byId, element, replaceChildren } from "../base/dom.js";
import { formatCount, formatNumberOf, formatPlace, formatShare, formatTime } from "../base/format.js";
import { callerText } from "../data/causes.js";
import { testOfInstances } from "../data/search.js";
import { selectionOf } from "../ui/state.js";
import { CLASS_TEXT } from "../ui/trigger.js";

const TRIGGER_STEP = 200;
const TRIGGER_COLUMNS = [
  { name: "callee", title: "Inferred", isText: true },
  { name: "caller", title: "Called from", isText: true, isMinor: true },
  { name: "class", title: "Class", isText: true, isMinor: true },
  { name: "total", title: "Total" },
  { name: "count", title: "Roots", isMinor: true },
];
const VALUES = {
  callee: (row) => row.callee.name,
  caller: callerText,
  class: (row) => row.word,
  total: (row) => row.total,
  count: (row) => row.count,
};

/** What cannot be told, for want of stacks; null if all can. */
function missingText({ roots, roots_with_stack: known }) {
  if (roots === 0) {
    return "No root of inference is in this page, so nothing caused any.";
  }
  if (known === 0) {
    return "No stacks were recorded: what was inferred is known, but not who called it. Without --no-stacks, snoopi record takes them.";
  }
  return known < roots ? `Stacks were recorded of ${formatCount(known)} of ${formatCount(roots)} roots; of the others the caller is not known.` : null;
}

export class TriggersView {
  constructor(app) {
    this.app = app;
    this.scroller = byId("triggers-scroller");
  }

  setLook() {}

  syncAxis() {}

  /** Rows in their order; with a search or a class, those that match. */
  sortedRows() {
    const { state, analysis } = this.app;
    const { rows } = analysis.causes.triggers;
    const test = testOfInstances(state.get("q"));
    const word = state.get("class");
    const valueOf = VALUES[state.get("tsort")] || VALUES.total;
    const sign = state.get("torder") === "ascending" ? 1 : -1;
    const isWanted = ({ callee, caller, word: its }) => (word === "" || its === word) && (!test || test(caller ? [callee, caller] : [callee]));
    const numbers = rows.map((_, number) => number).filter((number) => isWanted(rows[number]));
    const compare = (a, b) => (valueOf(rows[a]) < valueOf(rows[b]) ? -1 : valueOf(rows[a]) > valueOf(rows[b]) ? 1 : 0);
    return numbers.sort((a, b) => sign * compare(a, b) || a - b);
  }

  update() {
    if (!this.app.analysis.causes) {
      return;
    }
    this.rows = this.sortedRows();
    this.greatest = this.app.analysis.causes.triggers.rows.reduce((most, row) => Math.max(most, row.total), 1);
    this.shown = 0;
    this.scroller.scrollTop = 0;
    this.body = element("tbody", {});
    this.more = element("div", { class: "more" });
    const missing = missingText(this.app.analysis.causes.triggers);
    replaceChildren(
      this.scroller,
      missing ? element("p", { class: "lacks" }, missing) : null,
      this.classes(),
      element("table", { class: "triggers" }, this.head(), this.body),
      this.more,
    );
    this.addRows();
  }

  /** Classes with their shares; each is a filter. */
  classes() {
    const { state, analysis, profile } = this.app;
    const found = analysis.causes.classes();
    if (found.length < 2) {
      return null;
    }
    const chip = (word, label, total) =>
      element(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-pressed": String(state.get("class") === word),
          title: CLASS_TEXT[word] || "",
          onclick: () => this.filterBy(word),
        },
        label,
        " ",
        element("small", {}, formatShare(total, profile.inference)),
      );
    const all = found.reduce((sum, one) => sum + one.total, 0);
    return element(
      "div",
      { class: "chips", role: "group", "aria-label": "Classes of triggers" },
      chip("", "all", all),
      ...found.filter(({ word }) => word !== "").map(({ word, total }) => chip(word, word, total)),
    );
  }

  filterBy(word) {
    this.app.state.set({ class: this.app.state.get("class") === word ? "" : word });
    const chips = [...this.scroller.querySelectorAll(".chip")];
    const pressed = chips.find((chip) => chip.getAttribute("aria-pressed") === "true");
    pressed.focus();
  }

  head() {
    const { state } = this.app;
    const cells = TRIGGER_COLUMNS.map(({ name, title, isMinor, isText }) => {
      const isSorted = state.get("tsort") === name;
      return element(
        "th",
        { scope: "col", class: `${isMinor ? "minor" : ""} ${isText ? "text" : ""}`, "aria-sort": isSorted ? state.get("torder") : "none", "data-column": name },
        element("button", { type: "button", onclick: () => this.sortBy(name, isText) }, title),
      );
    });
    return element("thead", {}, element("tr", {}, ...cells));
  }

  sortBy(name, isText) {
    const { state } = this.app;
    const first = isText ? "ascending" : "descending";
    const other = state.get("torder") === "ascending" ? "descending" : "ascending";
    state.set({ tsort: name, torder: state.get("tsort") === name ? other : first });
    this.scroller.querySelector(`[data-column="${name}"] button`).focus();
  }

  addRows() {
    const first = this.shown;
    this.shown = Math.min(first + TRIGGER_STEP, this.rows.length);
    this.body.append(...this.rows.slice(first, this.shown).map((number) => this.row(number)));
    this.syncSelection();
    const { found, rows } = this.app.analysis.causes.triggers;
    const left = this.rows.length - this.shown;
    const whole = found > rows.length ? `; the costliest of ${formatCount(found)}` : "";
    const text = left > 0 ? `${formatCount(this.shown)} of ${formatNumberOf(this.rows.length, "pair")}` : formatNumberOf(this.rows.length, "pair");
    replaceChildren(
      this.more,
      text + whole,
      left > 0 ? element("button", { type: "button", onclick: () => this.addRows() }, `Show ${formatCount(Math.min(TRIGGER_STEP, left))} more`) : null,
    );
  }

  row(number) {
    const row = this.app.analysis.causes.triggers.rows[number];
    const place = formatPlace(row.file, row.line);
    const site = [place, row.chain.length > 1 ? "inlined" : ""].filter(Boolean).join(" · ");
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${(row.total / this.greatest) * 76}px`;
    const choose = () => this.app.select(`trigger:${number}`);
    return element(
      "tr",
      { "data-trigger": number },
      element(
        "td",
        {},
        element("button", { type: "button", class: "name", onclick: choose }, row.callee.name),
        element("span", { class: "place narrow-only" }, `${callerText(row)}${site ? ` · ${site}` : ""}`),
      ),
      element("td", { class: "minor" }, element("span", { class: "caller" }, callerText(row)), site ? element("span", { class: "place" }, site) : null),
      element("td", { class: "minor" }, row.word ? element("span", { class: "tag" }, row.word) : "–"),
      element(
        "td",
        { class: "number", "data-value": row.total },
        formatTime(row.total),
        element("small", {}, formatShare(row.total, this.app.profile.inference)),
        bar,
      ),
      element("td", { class: "number minor", "data-value": row.count }, formatCount(row.count)),
    );
  }

  syncSelection() {
    if (!this.body) {
      return;
    }
    const selection = selectionOf(this.app.state.get("sel"));
    this.body.querySelectorAll("tr.chosen").forEach((row) => row.classList.remove("chosen"));
    const row = selection && selection.kind === "trigger" && this.body.querySelector(`tr[data-trigger="${selection.id}"]`);
    if (row) {
      row.classList.add("chosen");
    }
  }

  pathTo() {
    return [];
  }
}
