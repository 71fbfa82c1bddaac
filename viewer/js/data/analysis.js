// SPDX-License-Identifier: MIT
// What is computed from the frames, when it is first asked for.
import { focusOn } from "../data/focus.js";
import { makeKeys } from "../data/keys.js";
import { timelineLevels } from "../data/levels.js";
import { layOut, mergeAll } from "../data/merge.js";
import { matchesByKey, search } from "../data/search.js";
import { sumByKey } from "../data/sums.js";

export class Analysis {
  constructor(profile) {
    this.profile = profile;
    this.known = new Map();
    this.found = null; // what search found
    this.base = null; // this and
    this.causes = null; // this are known when all is loaded
  }

  /** More frames came: what was computed holds no more. */
  forget() {
    this.known.clear();
  }

  once(name, compute) {
    if (!this.known.has(name)) {
      this.known.set(name, compute());
    }
    return this.known.get(name);
  }

  levels() {
    return this.once("levels", () => timelineLevels(this.profile));
  }

  keys(by) {
    return this.once(`keys ${by}`, () => makeKeys(this.profile, by, this.base));
  }

  sums(by) {
    return this.once(`sums ${by}`, () => sumByKey(this.profile, this.keys(by), this.base));
  }

  merger(by) {
    return this.once(`merged ${by}`, () => mergeAll(this.profile, this.keys(by), this.base));
  }

  /** {merger, levels, greatest}: levels by weight, and of the changes to the base the greatest. */
  merged(by, weight) {
    const merger = this.merger(by);
    return this.once(`levels ${by} ${weight}`, () => ({
      merger,
      levels: layOut(merger, weight),
      greatest: this.base ? greatestChange(merger, weight) : 0,
    }));
  }

  /** {callers, callees}, each {merger, levels}; the last one is kept. */
  focus(by, key, weight) {
    const name = `${by} ${key} ${weight}`;
    const kept = this.known.get("focus");
    if (kept && kept.name === name) {
      return kept;
    }
    const { callers, callees } = focusOn(this.profile, this.keys(by), key);
    const made = {
      name,
      callers: { merger: callers, levels: layOut(callers, weight) },
      callees: { merger: callees, levels: layOut(callees, weight) },
    };
    this.known.set("focus", made);
    return made;
  }

  /** How a key changed, and the greatest change of any: {now, before, greatest}, by time or by count. */
  changeOfKey(by, key, isCount) {
    const sums = this.sums(by);
    const [name, change] = isCount ? ["count", "dcount"] : ["total", "dtotal"];
    const greatest = this.once(`greatest ${by} ${name}`, () => sums[change].reduce((most, d) => Math.max(most, Math.abs(d)), 0));
    return { now: sums[name][key], before: sums.before[name][key], greatest };
  }

  search(text) {
    this.found = search(this.profile, text, this.base);
    [...this.known.keys()].filter((name) => name.startsWith("matches")).forEach((name) => this.known.delete(name));
    return this.found;
  }

  /** By key, whether it matches the search; null without one. */
  matches(by) {
    return this.found && this.once(`matches ${by}`, () => matchesByKey(this.profile, this.keys(by), this.found, this.base));
  }

  /** The key with the greatest self time. */
  greatestKey(by) {
    const { self } = this.sums(by);
    let greatest = 0;
    for (let key = 1; key < self.length; key++) {
      if (self[key] > self[greatest]) {
        greatest = key;
      }
    }
    return greatest;
  }
}

function greatestChange(merger, weight) {
  const [now, before] = weight.startsWith("count") ? [merger.all, merger.oldAll] : [merger.total, merger.oldTotal];
  let greatest = 0;
  for (let node = 1; node < merger.n; node++) {
    greatest = Math.max(greatest, Math.abs(now[node] - before[node]));
  }
  return greatest;
}
