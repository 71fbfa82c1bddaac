// SPDX-License-Identifier: MIT
// The masthead: what was recorded, the sums, what is missing, and the theme.
import { byId, element, replaceChildren } from "../base/dom.js";
import { formatChange, formatCount, formatNumberOf, formatShare, formatTime } from "../base/format.js";
import { notesOf } from "../data/notes.js";

function fact(name, value, note, isMinor) {
  const shown = element("dd", {}, value, note ? element("small", {}, ` ${note}`) : null);
  return element("div", { class: isMinor ? "fact fact-minor" : "fact" }, element("dt", {}, name), shown);
}

/** @param base  what it is compared to, when that is known */
export function showFacts(about, base) {
  const { totals, recording, processes } = about;
  const command = recording.command.join(" ");
  byId("command").textContent = command;
  byId("command").title = command;
  document.title = command ? `${command} – snoopi` : "snoopi";
  replaceChildren(
    byId("facts"),
    fact("in type inference", formatTime(totals.inference_ns), `${formatShare(totals.inference_ns, totals.wall_ns)} of ${formatTime(totals.wall_ns)}`),
    base ? fact("before", formatTime(base.about.totals.inference_ns), inferenceChange(totals, base.about.totals)) : null,
    fact("outside", formatTime(totals.outside_ns), "", true),
    fact("frames", formatCount(totals.frames), base ? `were ${formatCount(base.about.totals.frames)}` : ""),
    fact("instances", formatCount(totals.instances), "", true),
    fact("roots", formatCount(totals.roots), "", true),
    fact(processes.length === 1 ? "process" : "processes", formatCount(processes.length), versions(processes)),
  );
}

function inferenceChange(now, before) {
  return before.inference_ns > 0 ? formatChange(now.inference_ns, before.inference_ns) : "";
}

function versions(processes) {
  const found = [...new Set(processes.map((p) => p.julia).filter(Boolean))];
  return found.length > 0 ? `Julia ${found.join(", ")}` : "";
}

export function showNotes(profile) {
  const notes = notesOf(profile);
  byId("notes").hidden = notes.length === 0;
  byId("notes-title").textContent = `This is not the whole story: ${formatNumberOf(notes.length, "note")} on what is missing`;
  replaceChildren(byId("notes-list"), ...notes.map((note) => element("li", {}, note)));
  byId("notes").open = notes.length > 0 && notes.length <= 2;
}

const THEMES = { auto: "Auto", light: "Light", dark: "Dark" };

/** "light" or "dark", as it is now. */
export function currentTheme() {
  const chosen = document.documentElement.dataset.theme;
  return chosen || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

export function makeThemeButton(onChange) {
  const button = byId("theme");
  const names = Object.keys(THEMES);
  let chosen = 0;
  button.addEventListener("click", () => {
    chosen = (chosen + 1) % names.length;
    const name = names[chosen];
    if (name === "auto") {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = name;
    }
    button.textContent = THEMES[name];
    button.setAttribute("aria-label", name === "auto" ? "Theme: as the system" : `Theme: ${name}`);
    onChange();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onChange);
}
