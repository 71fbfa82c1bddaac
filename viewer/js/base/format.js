// SPDX-License-Identifier: MIT
// Numbers as people read them.

const TIME_UNITS = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
];

const COUNTS = new Intl.NumberFormat("en");

/** Three digits that count: 1234567 → "1.23 ms". */
export function formatTime(ns) {
  for (const [size, unit] of TIME_UNITS) {
    if (Math.abs(ns) >= size) {
      return `${threeDigits(ns / size)} ${unit}`;
    }
  }
  return `${Math.round(ns)} ns`;
}

function threeDigits(x) {
  const whole = Math.abs(x);
  return x.toFixed(whole >= 99.95 ? 0 : whole >= 9.995 ? 1 : 2);
}

/** A place on a time axis whose ticks are `step` apart. */
export function formatTick(ns, step) {
  const [size, unit] = TIME_UNITS.find(([s]) => Math.max(Math.abs(ns), step) >= s) || [1, "ns"];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9));
  return `${(ns / size).toFixed(Math.min(digits, 9))} ${unit}`;
}

export function formatCount(n) {
  return COUNTS.format(n);
}

/** "1 frame", "2 frames" */
export function formatNumberOf(n, word) {
  return `${formatCount(n)} ${word}${n === 1 ? "" : word.endsWith("s") ? "es" : "s"}`;
}

export function formatShare(part, whole) {
  if (!(whole > 0)) {
    return "–";
  }
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.1) {
    return "<0.1 %";
  }
  return `${percent.toFixed(percent < 9.95 ? 1 : 0)} %`;
}

/** "+12 %", of what was. */
export function formatChange(now, before) {
  const percent = (100 * (now - before)) / before;
  const digits = Math.abs(percent) < 9.95 ? 1 : 0;
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(digits)} %`;
}

/** A difference with its sign; `text` writes what has none. */
export function formatSigned(change, text) {
  return change === 0 ? "0" : `${change < 0 ? "−" : "+"}${text(Math.abs(change))}`;
}

let homes = [];

/** Folders that processes ran in: files in them go by what follows. */
export function setHomes(folders) {
  homes = folders.filter((folder) => folder.length > 1).map((folder) => `${folder}/`);
}

/**
 * "base/sort.jl:12", "Dates/src/io.jl:3": of a file that came with Julia what follows share/julia and the folder of its packages; of one in
 * a folder that a process ran in what follows that.
 */
export function formatPlace(file, line) {
  if (!file) {
    return "";
  }
  const cut = file.indexOf("/share/julia/");
  const home = homes.find((folder) => file.startsWith(folder));
  const shown = cut < 0 ? file.slice(home ? home.length : 0) : file.slice(cut + "/share/julia/".length).replace(/^stdlib\/v[^/]*\//, "");
  return line > 0 ? `${shown}:${line}` : shown;
}
