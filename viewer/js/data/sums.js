// SPDX-License-Identifier: MIT
// Flat sums. self adds up to inference; total counts only the outermost frame of a key on each path.

/** Calls back for each frame with its key and whether it is the outermost of it. */
function eachFrame(frames, ofInstance, nKeys, call) {
  const open = new Uint32Array(nKeys); // frames of the key on the path
  const path = [];
  for (let i = 0; i < frames.n; i++) {
    const key = ofInstance[frames.instance[i]];
    while (path.length > frames.depth[i]) {
      open[path.pop()]--;
    }
    call(i, key, open[key]++ === 0);
    path.push(key);
  }
}

/** What was before: the same sums of the base, and what came to them since. */
function compare(sums, base, keys) {
  const n = keys.keys.length;
  const before = { self: new Float64Array(n), total: new Float64Array(n), count: new Uint32Array(n) };
  eachFrame(base, keys.ofBase, n, (i, key, isOutermost) => {
    before.total[key] += isOutermost ? base.total[i] : 0;
    before.self[key] += base.self[i];
    before.count[key]++;
  });
  const change = (name) => Float64Array.from(sums[name], (now, key) => now - before[name][key]);
  return { before, dself: change("self"), dtotal: change("total"), dcount: change("count") };
}

/** Columns by key: self, total, gc, count, roots, flags (those that any frame has); with a base also before, dself, dtotal, dcount. */
export function sumByKey(profile, keys, base) {
  const n = keys.keys.length;
  const sums = {
    self: new Float64Array(n),
    total: new Float64Array(n),
    gc: new Float64Array(n),
    count: new Uint32Array(n),
    roots: new Uint32Array(n),
    flags: new Uint32Array(n),
  };
  eachFrame(profile, keys.ofInstance, n, (i, key, isOutermost) => {
    sums.total[key] += isOutermost ? profile.total[i] : 0;
    sums.self[key] += profile.self[i];
    sums.gc[key] += profile.gc[i];
    sums.count[key]++;
    sums.flags[key] |= profile.flags[i];
    sums.roots[key] += profile.depth[i] === 0 ? 1 : 0;
  });
  return base ? Object.assign(sums, compare(sums, base, keys)) : sums;
}
