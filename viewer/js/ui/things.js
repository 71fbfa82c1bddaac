// SPDX-License-Identifier: MIT
// What can be pointed at or selected, described: a frame, a node of a merged tree, or a key; each belongs to a key.
import { element } from "../base/dom.js";
import { formatChange, formatCount, formatPlace, formatShare, formatSigned, formatTime } from "../base/format.js";

/** {kind, id, key, name, module, place, self, total, gc, count, flags, frame}: frame is -1 where there is not just one. */
export function frameThing(analysis, by, frame) {
  const { profile } = analysis;
  const instance = profile.instances[profile.instance[frame]];
  return {
    kind: "frame",
    id: frame,
    key: analysis.keys(by).ofInstance[profile.instance[frame]],
    name: instance.name,
    module: instance.module,
    place: formatPlace(instance.file, instance.line),
    self: profile.self[frame],
    total: profile.total[frame],
    gc: profile.gc[frame],
    count: 1,
    flags: profile.flags[frame],
    frame,
  };
}

export function keyThing(analysis, by, key) {
  const sums = analysis.sums(by);
  const { label, module, file, line } = analysis.keys(by).keys[key];
  return {
    kind: "key",
    id: key,
    key,
    name: label,
    module: by === "module" ? "" : module,
    place: by === "file" ? "" : formatPlace(file, line),
    self: sums.self[key],
    total: sums.total[key],
    gc: sums.gc[key],
    count: sums.count[key],
    flags: sums.flags[key],
    frame: -1,
    before: analysis.base ? { total: sums.before.total[key], count: sums.before.count[key] } : null,
  };
}

/** A node of any merged tree over the keys of `by`. The top of the whole tree has no key. */
export function nodeThing(analysis, by, merger, node) {
  const key = merger.key[node];
  const named = key < 0 ? { name: "All inference", module: "", place: "" } : keyThing(analysis, by, key);
  return {
    kind: "node",
    id: node,
    key,
    name: named.name,
    module: named.module,
    place: named.place,
    self: merger.self[node],
    total: merger.total[node],
    gc: merger.gc[node],
    count: merger.count[node],
    flags: merger.flags[node],
    frame: merger.count[node] === 1 ? merger.first[node] : -1,
    all: merger.all[node],
    before: analysis.base ? { total: merger.oldTotal[node], count: merger.oldCount[node], all: merger.oldAll[node] } : null,
  };
}

/** The call that entered the compiler for some roots, and what they spent. */
export function triggerThing(analysis, by, id) {
  const row = analysis.causes.triggers.rows[id];
  const { name, module, file, line } = row.callee;
  return {
    kind: "trigger",
    id,
    key: row.calleeNumber < 0 ? -1 : analysis.keys(by).ofInstance[row.calleeNumber],
    name,
    module,
    place: formatPlace(file, line),
    total: row.total,
    count: row.count,
    row,
    frame: row.frame,
  };
}

/** What the state has selected; null for nothing, or for a number that there is not. */
export function selectedThing(analysis, state, selection) {
  const by = state.get("by");
  if (selection && selection.kind === "frame" && selection.id < analysis.profile.n) {
    return frameThing(analysis, by, selection.id);
  }
  if (selection && selection.kind === "node" && selection.id < analysis.merger(by).n) {
    return nodeThing(analysis, by, analysis.merger(by), selection.id);
  }
  if (selection && selection.kind === "trigger" && analysis.causes && selection.id < analysis.causes.triggers.rows.length) {
    return triggerThing(analysis, by, selection.id);
  }
  if (selection && selection.kind === "key" && selection.id < analysis.keys(by).keys.length) {
    return keyThing(analysis, by, selection.id);
  }
  return null;
}

/** "Module · file:line" */
export function whereText(thing) {
  return [thing.module, thing.place].filter(Boolean).join(" · ");
}

/** The constant arguments of a frame: "#2 = 3, #3 = :a" */
export function argsText(profile, frame) {
  return profile
    .argsOf(frame)
    .map(({ position, value }) => `#${position} = ${value}`)
    .join(", ");
}

function pair(name, ...value) {
  return [element("dt", {}, name), element("dd", {}, ...value)];
}

function timePair(name, ns, whole) {
  return pair(name, formatTime(ns), " ", element("small", {}, formatShare(ns, whole)));
}

function changeText(now, before, text) {
  const shown = formatSigned(now - before, text);
  return before > 0 ? `${shown} (${formatChange(now, before)})` : shown;
}

function changePair(name, now, before, text) {
  if (now === before) {
    return pair(name, `${text(before)}, as now`);
  }
  const className = now > before ? "grew" : now < before ? "shrank" : "";
  return pair(name, `${text(before)} `, element("span", { class: className }, changeText(now, before, text)));
}

/** What it was in the base, and what came to it since; of a tree also with all frames below. */
function changePairs({ total, count, all, before }) {
  const pairs = [...changePair("Total was", total, before.total, formatTime), ...changePair("Count was", count, before.count, formatCount)];
  return all === undefined ? pairs : [...pairs, ...changePair("All below were", all, before.all, formatCount)];
}

/** The numbers of a thing as a list of terms. */
export function thingPairs(profile, thing) {
  const pairs = [
    ...timePair("Self", thing.self, profile.inference),
    ...timePair("Total", thing.total, profile.inference),
    ...pair("Count", formatCount(thing.count)),
  ];
  if (thing.all > thing.count && thing.kind === "node") {
    pairs.push(...pair("All below", formatCount(thing.all)));
  }
  if (thing.before) {
    pairs.push(...changePairs(thing));
  }
  if (thing.gc > 0) {
    pairs.push(...timePair("of self, GC", thing.gc, profile.inference));
  }
  const words = profile.flagWords(thing.flags);
  if (words.length > 0) {
    pairs.push(...pair("Flags", ...words.map((word) => element("span", { class: "flag" }, word))));
  }
  const args = thing.frame >= 0 ? argsText(profile, thing.frame) : "";
  if (args) {
    pairs.push(element("dt", {}, "Constant"), element("dd", { class: "text" }, args));
  }
  return element("dl", { class: "pairs" }, ...pairs);
}

/** The same in a sentence, for a screen reader. */
export function thingSentence(profile, thing) {
  const parts = [thing.name, `self ${formatTime(thing.self)}`, `total ${formatTime(thing.total)}`];
  if (thing.count !== 1) {
    parts.push(`${formatCount(thing.count)} frames`);
  }
  if (thing.before) {
    parts.push(`total was ${formatTime(thing.before.total)}`, `count was ${formatCount(thing.before.count)}`);
  }
  parts.push(...profile.flagWords(thing.flags));
  return parts.join(", ");
}
