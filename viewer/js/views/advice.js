// SPDX-License-Identifier: MIT
// What to change, the findings worth most first: each says what, where, what it costs, and what to do.
import { byId, element, replaceChildren } from "../base/dom.js";
import { formatCount, formatNumberOf, formatPlace, formatShare, formatTime } from "../base/format.js";
import { words } from "../data/search.js";

const ADVICE_STEP = 40;

const KIND_WORDS = {
  dispatch: "dispatch at run time",
  specialization: "many specializations",
  vararg: "numbers of arguments",
  keywords: "sets of keywords",
  constprop: "constants",
  redefined: "defined again",
  repeated: "inferred again",
  generated: "generated functions",
  precompile: "precompilation",
  boxed: "boxed variables",
  invalidated: "invalidated code",
  result: "returns of unknown type",
};

/** Beside it, where there is room, else folded. */
function evidenceOf({ evidence }) {
  if (evidence.length === 0) {
    return null;
  }
  const isOpen = matchMedia("(min-width: 1100px)").matches;
  const lines = evidence.map((line) => element("li", {}, line));
  return element("details", { class: "evidence", open: isOpen }, element("summary", {}, "What was seen"), element("ul", {}, ...lines));
}

export class AdviceView {
  constructor(app) {
    this.app = app;
    this.scroller = byId("advice-scroller");
  }

  setLook() {}

  syncAxis() {}

  syncSelection() {}

  wanted() {
    const { state, analysis } = this.app;
    const wanted = words(state.get("q"));
    const textOf = (f) => [f.kind, f.name, f.module, f.file, f.what, f.change, ...f.evidence].join("\n").toLowerCase();
    return analysis.causes.advice.findings.filter((finding) => wanted.every((word) => textOf(finding).includes(word)));
  }

  update() {
    if (!this.app.analysis.causes) {
      return;
    }
    this.findings = this.wanted();
    this.shown = 0;
    this.list = element("ol", { class: "findings" });
    this.more = element("div", { class: "more" });
    const intro =
      this.findings.length > 0
        ? "Each could save at most the time it says. Findings overlap, so the sum of these times means nothing."
        : this.app.state.get("q")
          ? "No finding matches the search."
          : "Nothing was found that could be changed.";
    replaceChildren(this.scroller, element("p", { class: "intro" }, intro), this.list, this.more);
    this.scroller.scrollTop = 0;
    this.addFindings();
  }

  addFindings() {
    const first = this.shown;
    this.shown = Math.min(first + ADVICE_STEP, this.findings.length);
    this.list.append(...this.findings.slice(first, this.shown).map((finding) => this.card(finding)));
    const { found, findings } = this.app.analysis.causes.advice;
    const left = this.findings.length - this.shown;
    const whole = found > findings.length ? `; those worth most of ${formatCount(found)}` : "";
    replaceChildren(
      this.more,
      this.findings.length > 0 ? `${left > 0 ? `${formatCount(this.shown)} of ` : ""}${formatNumberOf(this.findings.length, "finding")}${whole}` : null,
      left > 0 ? element("button", { type: "button", onclick: () => this.addFindings() }, `Show ${formatCount(Math.min(ADVICE_STEP, left))} more`) : null,
    );
  }

  card(finding) {
    const { profile } = this.app;
    const place = formatPlace(finding.file, finding.line);
    return element(
      "li",
      { class: "finding" },
      element(
        "div",
        { class: "cost" },
        element("strong", {}, formatTime(finding.saved_ns)),
        element("span", {}, `at most, ${formatShare(finding.saved_ns, profile.inference)}`),
      ),
      element(
        "div",
        { class: "story" },
        element("h2", {}, finding.what),
        element("p", { class: "where" }, element("span", { class: "tag" }, KIND_WORDS[finding.kind] || finding.kind), place || "at a place that is not known"),
        element("p", { class: "change" }, element("span", { class: "do" }, "Do this: "), finding.change),
        this.ways(finding),
      ),
      evidenceOf(finding),
    );
  }

  /** Buttons to what it is about in the other views. */
  ways(finding) {
    const { state } = this.app;
    const way = (text, values) => element("button", { type: "button", onclick: () => state.set(values) }, text);
    const made = [];
    if (finding.kind === "precompile") {
      made.push(way("Its frames", { view: "table", by: "instance", q: `package:${finding.name}` }));
    } else {
      const key = this.functionKey(finding);
      if (finding.kind === "dispatch") {
        made.push(way("Its triggers", { view: "triggers", class: "", q: finding.name.toLowerCase() }));
      }
      if (key >= 0) {
        made.push(
          way("In the flame graph", { view: "flame", by: "function", sel: `key:${key}`, q: `/^${finding.name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}\\b/` }),
          way("Callers and callees", { view: "sandwich", by: "function", sel: `key:${key}`, q: "" }),
        );
      }
    }
    return made.length > 0 ? element("div", { class: "actions" }, ...made) : null;
  }

  functionKey({ name, module }) {
    return this.app.analysis.keys("function").keys.findIndex((key) => key.name === name && key.module === module);
  }

  pathTo() {
    return [];
  }
}
