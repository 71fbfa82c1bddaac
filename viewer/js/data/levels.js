// SPDX-License-Identifier: MIT
// Boxes in rows, for drawing only what shows. In a row no box overlaps another and all stand in the order of their begin, so that
// the first one in sight is found by halving, and what a pixel holds of many is a difference of two sums.
//
// A set of levels is {n, order, rowStart, begin, end, lengthBefore}: row r has the boxes order[rowStart[r] … rowStart[r + 1]), whose
// begin and end are columns by box; lengthBefore[i] is the length of all boxes that stand before order[i].

/** Finishes levels of which all but lengthBefore is known. */
export function withLengths(levels) {
  const { order, begin, end } = levels;
  const lengthBefore = new Float64Array(order.length + 1);
  for (let i = 0; i < order.length; i++) {
    lengthBefore[i + 1] = lengthBefore[i] + end[order[i]] - begin[order[i]];
  }
  levels.lengthBefore = lengthBefore;
  levels.n = order.length;
  return levels;
}

/** Tasks that take turns on a thread can put frames out of order. */
function sortRow(order, begin, from, to) {
  for (let i = from + 1; i < to; i++) {
    if (begin[order[i]] < begin[order[i - 1]]) {
      order.subarray(from, to).sort((a, b) => begin[a] - begin[b]);
      return;
    }
  }
}

/** Levels of the frames in real time: for each lane as many rows as it is deep. Adds firstRow and nRows of each lane. */
export function timelineLevels(profile) {
  const { n, lane, depth, begin, end } = profile;
  const rowsOfLane = profile.lanes.map(() => 0);
  for (let i = 0; i < n; i++) {
    if (depth[i] >= rowsOfLane[lane[i]]) {
      rowsOfLane[lane[i]] = depth[i] + 1;
    }
  }
  const firstRow = [];
  let nRows = 0;
  for (const rows of rowsOfLane) {
    firstRow.push(nRows);
    nRows += rows;
  }
  const rowStart = new Uint32Array(nRows + 1);
  for (let i = 0; i < n; i++) {
    rowStart[firstRow[lane[i]] + depth[i] + 1]++;
  }
  for (let row = 0; row < nRows; row++) {
    rowStart[row + 1] += rowStart[row];
  }
  const order = new Uint32Array(n);
  const next = rowStart.slice();
  for (let i = 0; i < n; i++) {
    order[next[firstRow[lane[i]] + depth[i]]++] = i;
  }
  for (let row = 0; row < nRows; row++) {
    sortRow(order, begin, rowStart[row], rowStart[row + 1]);
  }
  return withLengths({ order, rowStart, begin, end, firstRow, nRows: rowsOfLane });
}

/** The first place from `low` to `high` whose box ends after `x`. */
export function firstEndingAfter(levels, low, high, x) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (levels.end[levels.order[middle]] > x) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** The first place from `low` to `high` whose box begins at or after `x`; quick when that is near `low`. */
export function firstBeginningAt(levels, low, high, x) {
  let step = 1;
  while (low + step < high && levels.begin[levels.order[low + step]] < x) {
    low += step;
    step *= 2;
  }
  let top = Math.min(high, low + step);
  while (low < top) {
    const middle = (low + top) >>> 1;
    if (levels.begin[levels.order[middle]] >= x) {
      top = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** The box of a row at `x`, or -1. */
export function boxAt(levels, row, x) {
  const end = levels.rowStart[row + 1];
  const at = firstEndingAfter(levels, levels.rowStart[row], end, x);
  return at < end && levels.begin[levels.order[at]] <= x ? levels.order[at] : -1;
}

/** How many of the boxes before each place match; for the pixels that hold many. */
export function matchesBefore(levels, isMatch) {
  const before = new Uint32Array(levels.n + 1);
  for (let i = 0; i < levels.n; i++) {
    before[i + 1] = before[i] + (isMatch(levels.order[i]) ? 1 : 0);
  }
  return before;
}
