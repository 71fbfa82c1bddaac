// SPDX-License-Identifier: MIT
// Sums by key as a table. Rows are made some hundreds at a time.
import { byId, element, replaceChildren } from "../base/dom.js";
import { formatCount, formatNumberOf, formatPlace, formatShare, formatSigned, formatTime } from "../base/format.js";
import { selectionOf } from "../ui/state.js";

const STEP = 200;
const TABLE_COLUMNS = [
  { name: "name", title: "Name" },
  { name: "self", title: "Self", isTime: true },
  { name: "total", title: "Total", isTime: true },
  { name: "count", title: "Count" },
  { name: "gc", title: "GC", isTime: true, isMinor: true },
  { name: "roots", title: "Roots", isMinor: true },
];

/** Of a page that compares: what came to each since the base. */
const CHANGE_COLUMNS = [
  { name: "dself", title: "Δ self", isTime: true, isChange: true },
  { name: "dcount", title: "Δ count", isChange: true },
];

function changeCell({ isTime }, value) {
  const text = formatSigned(value, isTime ? formatTime : formatCount);
  const className = value > 0 ? "number grew" : value < 0 ? "number shrank" : "number";
  return element("td", { class: className, "data-value": value }, text);
}

export class TableView {
  constructor(app) {
    this.app = app;
    this.shown = STEP;
    this.scroller = byId("table-scroller");
    this.columns = TABLE_COLUMNS;
    if (app.profile.about.has_base) {
      this.columns = [...TABLE_COLUMNS.filter((column) => !column.isMinor), ...CHANGE_COLUMNS];
    }
  }

  setLook() {}

  syncAxis() {}

  /** Keys in the order of the rows; with a search, those that match. */
  sortedKeys() {
    const { analysis, state } = this.app;
    const by = state.get("by");
    const { keys } = analysis.keys(by);
    const sums = analysis.sums(by);
    const matches = analysis.matches(by);
    const column = this.columns.some((c) => c.name === state.get("sort")) ? state.get("sort") : "self";
    const sign = state.get("order") === "ascending" ? 1 : -1;
    const rows = keys.map((_, key) => key).filter((key) => !matches || matches[key]);
    const byName = (a, b) => (keys[a].label < keys[b].label ? -1 : keys[a].label > keys[b].label ? 1 : a - b);
    const compare = column === "name" ? (a, b) => sign * byName(a, b) : (a, b) => sign * (sums[column][a] - sums[column][b]) || byName(a, b);
    return rows.sort(compare);
  }

  update() {
    const { analysis, state } = this.app;
    const by = state.get("by");
    this.rows = this.sortedKeys();
    this.greatestSelf = analysis.sums(by).self[analysis.greatestKey(by)] || 1;
    this.shown = STEP;
    this.scroller.scrollTop = 0;
    this.build();
  }

  build() {
    const body = element("tbody", {});
    this.body = body;
    const table = element("table", {}, this.head(), body);
    this.more = element("div", { class: "more" });
    replaceChildren(this.scroller, table, this.more);
    this.addRows(0);
  }

  addRows(first) {
    const last = Math.min(this.shown, this.rows.length);
    this.body.append(...this.rows.slice(first, last).map((key) => this.row(key)));
    this.syncSelection();
    const left = this.rows.length - last;
    const text = left > 0 ? `${formatCount(last)} of ${formatNumberOf(this.rows.length, "row")}` : formatNumberOf(this.rows.length, "row");
    const button = element("button", { type: "button", onclick: () => this.showMore() }, `Show ${formatCount(Math.min(STEP * 2, left))} more`);
    replaceChildren(this.more, text, left > 0 ? button : null);
  }

  showMore() {
    const first = this.shown;
    this.shown += STEP * 2;
    this.addRows(first);
  }

  head() {
    const { state } = this.app;
    const cells = this.columns.map(({ name, title, isMinor }) => {
      const isSorted = state.get("sort") === name;
      const sort = () => this.sortBy(name);
      return element(
        "th",
        { scope: "col", class: isMinor ? "minor" : "", "aria-sort": isSorted ? state.get("order") : "none", "data-column": name },
        element("button", { type: "button", onclick: sort }, title),
      );
    });
    return element("thead", {}, element("tr", {}, ...cells));
  }

  sortBy(name) {
    const { state } = this.app;
    const isSame = state.get("sort") === name;
    const first = name === "name" ? "ascending" : "descending";
    const other = state.get("order") === "ascending" ? "descending" : "ascending";
    state.set({ sort: name, order: isSame ? other : first });
    this.scroller.querySelector(`[data-column="${name}"] button`).focus();
  }

  row(key) {
    const { analysis, state } = this.app;
    const by = state.get("by");
    const sums = analysis.sums(by);
    const { label, module, file, line } = analysis.keys(by).keys[key];
    const place = [by === "module" ? "" : module, by === "file" ? "" : formatPlace(file, line)].filter(Boolean).join(" · ");
    const choose = () => this.app.select(`key:${key}`);
    const name = element(
      "td",
      {},
      element("button", { type: "button", class: "name", onclick: choose }, label),
      place ? element("span", { class: "place" }, place) : null,
    );
    const cells = this.columns.slice(1).map((column) => this.cell(column, sums[column.name][key]));
    return element("tr", { "data-key": key, ondblclick: () => this.app.focusOn(key) }, name, ...cells);
  }

  cell(column, value) {
    return column.isChange ? changeCell(column, value) : this.numberCell(column, value);
  }

  numberCell({ isTime, isMinor, name }, value) {
    const { inference } = this.app.profile;
    const className = isMinor ? "number minor" : "number";
    if (!isTime) {
      return element("td", { class: className, "data-value": value }, formatCount(value));
    }
    const share = name === "gc" ? null : element("small", {}, formatShare(value, inference));
    const cell = element("td", { class: className, "data-value": value }, value > 0 ? formatTime(value) : "0", share);
    if (name === "self") {
      const bar = element("span", { class: "bar", "aria-hidden": "true" });
      bar.style.width = `${(value / this.greatestSelf) * 76}px`;
      cell.append(bar);
    }
    return cell;
  }

  syncSelection() {
    const selection = selectionOf(this.app.state.get("sel"));
    const key = selection && selection.kind === "key" ? String(selection.id) : "";
    this.body.querySelectorAll("tr.chosen").forEach((row) => row.classList.remove("chosen"));
    const row = key && this.body.querySelector(`tr[data-key="${key}"]`);
    if (row) {
      row.classList.add("chosen");
    }
  }

  pathTo() {
    return [];
  }
}
