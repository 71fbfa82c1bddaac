// SPDX-License-Identifier: MIT
// One key in the middle: what its outermost frames were called by, and what they call. Both trees weigh the same, the key's total.
import { Merger, WEIGHT_COLUMNS } from "../data/merge.js";

function addCallers(callers, profile, keys, frame, all) {
  let node = 0;
  for (let above = profile.parent[frame]; above >= 0; above = profile.parent[above]) {
    node = callers.child(node, keys.ofInstance[profile.instance[above]], above);
    callers.total[node] += profile.total[frame];
    callers.self[node] += profile.self[frame];
    callers.gc[node] += profile.gc[frame];
    callers.flags[node] |= profile.flags[above];
    callers.count[node]++;
    callers.all[node] += all;
  }
}

/** The frame behind the subtree. */
function addCallees(callees, profile, keys, frame) {
  const path = [0];
  const top = profile.depth[frame];
  let i = frame + 1;
  for (; i < profile.n && profile.depth[i] > top; i++) {
    const depth = profile.depth[i] - top;
    path[depth] = callees.child(path[depth - 1], keys.ofInstance[profile.instance[i]], i);
    callees.add(path[depth], profile, i);
  }
  return i;
}

/** {callers, callees}: Mergers whose node 0 is the key. Callers say what was spent in the key on their account. */
export function focusOn(profile, keys, key) {
  const callers = new Merger();
  const callees = new Merger();
  for (let i = 0; i < profile.n; ) {
    if (keys.ofInstance[profile.instance[i]] !== key) {
      i++;
      continue;
    }
    for (const top of [callers, callees]) {
      top.add(0, profile, i);
      top.key[0] = key;
      top.first[0] = top.first[0] < 0 ? i : top.first[0];
    }
    const end = addCallees(callees, profile, keys, i);
    addCallers(callers, profile, keys, i, end - i);
    callers.all[0] += end - i;
    i = end;
  }
  callees.addUp();
  return { callers, callees };
}

/** Nodes right below the top, the greatest first. */
export function nextTo(merger, weight) {
  const size = merger[WEIGHT_COLUMNS[weight]];
  const found = [];
  for (let node = 1; node < merger.n; node++) {
    if (merger.parent[node] === 0) {
      found.push(node);
    }
  }
  return found.sort((a, b) => size[b] - size[a] || a - b);
}
