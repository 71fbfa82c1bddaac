// SPDX-License-Identifier: MIT
// Flat sums. self adds up to inference; total counts only the outermost frame of a key on each path.

/** Columns by key: self, total, gc, count, roots, flags (those that any frame has). */
export function sumByKey(profile, keys) {
  const n = keys.keys.length;
  const sums = {
    self: new Float64Array(n),
    total: new Float64Array(n),
    gc: new Float64Array(n),
    count: new Uint32Array(n),
    roots: new Uint32Array(n),
    flags: new Uint32Array(n),
  };
  const open = new Uint32Array(n); // frames of the key on the path
  const path = [];
  for (let i = 0; i < profile.n; i++) {
    const depth = profile.depth[i];
    const key = keys.ofInstance[profile.instance[i]];
    while (path.length > depth) {
      open[path.pop()]--;
    }
    if (open[key]++ === 0) {
      sums.total[key] += profile.total[i];
    }
    path.push(key);
    sums.self[key] += profile.self[i];
    sums.gc[key] += profile.gc[i];
    sums.count[key]++;
    sums.flags[key] |= profile.flags[i];
    if (depth === 0) {
      sums.roots[key]++;
    }
  }
  return sums;
}
