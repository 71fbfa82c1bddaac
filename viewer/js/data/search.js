// SPDX-License-Identifier: MIT
// Search: words that a frame must all have, in its name or, with a prefix, elsewhere; or one regular expression.
//
//     getindex Int64     module:Base.Iterators     package:Statistics     file:sort.jl     flag:constprop     /^sum\(/

const PREFIXES = ["module", "package", "file", "flag"];

/** The words of a search, in small letters. */
export function words(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function testOfWord(word) {
  const colon = word.indexOf(":");
  const prefix = word.slice(0, Math.max(colon, 0));
  if (!PREFIXES.includes(prefix) || word.startsWith("::", colon)) {
    return { test: (instance) => instance.name.toLowerCase().includes(word) };
  }
  const wanted = word.slice(colon + 1);
  if (prefix === "flag") {
    return { flag: wanted };
  }
  return { test: (instance) => instance[prefix].toLowerCase().includes(wanted) };
}

function testsOf(text) {
  const pattern = /^\/(.+)\/$/.exec(text.trim());
  if (!pattern) {
    return words(text).map(testOfWord);
  }
  const expression = new RegExp(pattern[1], "i"); // throws when it is none
  return [{ test: (instance) => expression.test(instance.name) }];
}

/** A test of whether any of some instances matches each of the words; the flags of frames are not asked for. Null for no text or a bad one. */
export function testOfInstances(text) {
  try {
    const tests = testsOf(text).filter((t) => t.test);
    return tests.length === 0 ? null : (instances) => tests.every((t) => instances.some((instance) => t.test(instance)));
  } catch {
    return null;
  }
}

/** Bits that a frame's flags must all have; those of an unknown word are none that a frame can have. */
function flagMask(profile, tests) {
  let mask = 0;
  for (const { flag } of tests) {
    if (flag !== undefined) {
      const bit = profile.flagNames.findIndex((name) => name.startsWith(flag));
      mask |= bit < 0 ? 1 << 30 : 1 << bit;
    }
  }
  return mask;
}

/** Sums over the frames that match; total counts the outermost ones only. */
function sumMatches(profile, isMatch) {
  const sums = { frames: 0, self: 0, total: 0 };
  let outermost = Infinity; // depth of the match that the current frame is in
  for (let i = 0; i < profile.n; i++) {
    if (profile.depth[i] <= outermost) {
      outermost = Infinity;
    }
    if (isMatch[i]) {
      sums.frames++;
      sums.self += profile.self[i];
      if (outermost === Infinity) {
        sums.total += profile.total[i];
        outermost = profile.depth[i];
      }
    }
  }
  return sums;
}

/** null for an empty text, {error} for a bad expression, else {text, isMatch (by frame), frames, self, total}. */
export function search(profile, text, base) {
  if (text.trim() === "") {
    return null;
  }
  let tests;
  try {
    tests = testsOf(text);
  } catch (error) {
    return { text, error: error.message, isMatch: new Uint8Array(profile.n), frames: 0, self: 0, total: 0 };
  }
  const nameTests = tests.filter((t) => t.test);
  const ofInstance = Uint8Array.from(profile.instances, (instance) => (nameTests.every((t) => t.test(instance)) ? 1 : 0));
  const ofBase = base && base.instances.map(({ instance }) => nameTests.length > 0 && nameTests.every((t) => t.test(instance)));
  const mask = flagMask(profile, tests);
  const isMatch = new Uint8Array(profile.n);
  for (let i = 0; i < profile.n; i++) {
    isMatch[i] = ofInstance[profile.instance[i]] && (profile.flags[i] & mask) === mask ? 1 : 0;
  }
  return { text, isMatch, ofBase, ...sumMatches(profile, isMatch) };
}

/** By key: whether any frame of it matches, also of the base. */
export function matchesByKey(profile, keys, found, base) {
  const byKey = new Uint8Array(keys.keys.length);
  for (let i = 0; i < profile.n; i++) {
    if (found.isMatch[i]) {
      byKey[keys.ofInstance[profile.instance[i]]] = 1;
    }
  }
  if (base && found.ofBase) {
    found.ofBase.forEach((isMatch, number) => {
      byKey[keys.ofBase[number]] |= isMatch ? 1 : 0;
    });
  }
  return byKey;
}
