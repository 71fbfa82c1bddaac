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
    this.causes = null; // known when all is loaded
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
    return this.once(`keys ${by}`, () => makeKeys(this.profile, by));
  }

  sums(by) {
    return this.once(`sums ${by}`, () => sumByKey(this.profile, this.keys(by)));
  }

  /** {merger, levels} */
  merged(by) {
    return this.once(`merged ${by}`, () => {
      const merger = mergeAll(this.profile, this.keys(by));
      return { merger, levels: layOut(merger) };
    });
  }

  /** {callers, callees}, each {merger, levels}; the last one is kept. */
  focus(by, key) {
    const name = `${by} ${key}`;
    const kept = this.known.get("focus");
    if (kept && kept.name === name) {
      return kept;
    }
    const { callers, callees } = focusOn(this.profile, this.keys(by), key);
    const made = {
      name,
      callers: { merger: callers, levels: layOut(callers) },
      callees: { merger: callees, levels: layOut(callees) },
    };
    this.known.set("focus", made);
    return made;
  }

  search(text) {
    this.found = search(this.profile, text);
    [...this.known.keys()].filter((name) => name.startsWith("matches")).forEach((name) => this.known.delete(name));
    return this.found;
  }

  /** By key, whether it matches the search; null without one. */
  matches(by) {
    return this.found && this.once(`matches ${by}`, () => matchesByKey(this.profile, this.keys(by), this.found));
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
