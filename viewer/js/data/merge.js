// SPDX-License-Identifier: MIT
// Merged trees: frames with the same key and the same path above them are one node. Node 0 is the top, which has no key.
import { withLengths } from "../data/levels.js";

const NO_KEY = -1;
const MERGER_COLUMNS = ["key", "parent", "first", "self", "total", "gc", "count", "flags", "all", "oldTotal", "oldCount", "oldAll"];

/** What the width of a node can stand for, and its column. */
export const WEIGHT_COLUMNS = { time: "total", count: "all", "time-before": "oldTotal", "count-before": "oldAll" };

function grown(array, length) {
  const bigger = new array.constructor(length);
  bigger.set(array);
  return bigger;
}

/** Nodes as columns, found by parent and key in an open hash table. */
export class Merger {
  constructor() {
    this.n = 1;
    this.key = new Int32Array(1024).fill(NO_KEY, 0, 1);
    this.parent = new Int32Array(1024).fill(-1, 0, 1);
    this.first = new Int32Array(1024).fill(-1, 0, 1); // the first frame that was merged into it
    this.self = new Float64Array(1024);
    this.total = new Float64Array(1024);
    this.gc = new Float64Array(1024);
    this.count = new Uint32Array(1024);
    this.flags = new Uint32Array(1024); // those that any of its frames has
    this.all = new Float64Array(1024); // frames with those below them
    // of the base
    this.oldTotal = new Float64Array(1024);
    this.oldCount = new Uint32Array(1024);
    this.oldAll = new Float64Array(1024);
    this.table = new Int32Array(4096);
  }

  /** The node of `key` below `parent`, which is made when there is none. */
  child(parent, key, frame) {
    const mask = this.table.length - 1;
    let slot = this.hash(parent, key) & mask;
    for (let node = this.table[slot]; node !== 0; node = this.table[slot]) {
      if (this.parent[node] === parent && this.key[node] === key) {
        return node;
      }
      slot = (slot + 1) & mask;
    }
    const node = this.n;
    if (node === this.key.length) {
      this.growColumns();
    }
    this.n++;
    this.key[node] = key;
    this.parent[node] = parent;
    this.first[node] = frame;
    this.table[slot] = node;
    if (this.n * 2 > this.table.length) {
      this.growTable();
    }
    return node;
  }

  /** The node of `key` below `parent`, or -1. */
  find(parent, key) {
    const mask = this.table.length - 1;
    let slot = this.hash(parent, key) & mask;
    for (let node = this.table[slot]; node !== 0; node = this.table[slot]) {
      if (this.parent[node] === parent && this.key[node] === key) {
        return node;
      }
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  hash(parent, key) {
    let h = Math.imul(parent, 0x9e3779b1) ^ Math.imul(key + 1, 0x85ebca6b);
    h ^= h >>> 15;
    return Math.imul(h, 0xc2b2ae35) ^ (h >>> 13);
  }

  growColumns() {
    for (const name of MERGER_COLUMNS) {
      this[name] = grown(this[name], 2 * this.n);
    }
  }

  growTable() {
    const table = new Int32Array(2 * this.table.length);
    const mask = table.length - 1;
    for (let node = 1; node < this.n; node++) {
      let slot = this.hash(this.parent[node], this.key[node]) & mask;
      while (table[slot] !== 0) {
        slot = (slot + 1) & mask;
      }
      table[slot] = node;
    }
    this.table = table;
  }

  add(node, profile, frame) {
    this.self[node] += profile.self[frame];
    this.total[node] += profile.total[frame];
    this.gc[node] += profile.gc[frame];
    this.flags[node] |= profile.flags[frame];
    this.count[node]++;
  }

  addBase(node, base, frame) {
    this.oldTotal[node] += base.total[frame];
    this.oldCount[node]++;
  }

  /** Frames with those below them; a node has a higher number than its parent. */
  addUp() {
    this.all.set(this.count.subarray(0, this.n));
    this.oldAll.set(this.oldCount.subarray(0, this.n));
    for (let node = this.n - 1; node > 0; node--) {
      this.all[this.parent[node]] += this.all[node];
      this.oldAll[this.parent[node]] += this.oldAll[node];
    }
  }
}

/** Children of each node as lists: firstChild and nextSibling by node. */
function childLists(merger) {
  const firstChild = new Int32Array(merger.n);
  const nextSibling = new Int32Array(merger.n);
  for (let node = merger.n - 1; node > 0; node--) {
    nextSibling[node] = firstChild[merger.parent[node]];
    firstChild[merger.parent[node]] = node;
  }
  return { firstChild, nextSibling };
}

/**
 * Left heavy: the children of a node from its left end on, the greatest first. Returns levels with begin and end in what is weighed; what
 * weighs nothing has no place.
 */
export function layOut(merger, weight = "time") {
  const { n } = merger;
  const total = merger[WEIGHT_COLUMNS[weight]];
  const { firstChild, nextSibling } = childLists(merger);
  const order = new Uint32Array(n);
  const begin = new Float64Array(n).fill(NaN);
  const end = new Float64Array(n).fill(NaN);
  const row = new Uint32Array(n); // by node
  const rowStart = [0, 1];
  const siblings = [];
  begin[0] = 0;
  end[0] = total[0];
  let placed = 1;
  for (let level = 0; rowStart[level] < rowStart[level + 1]; level++) {
    for (let i = rowStart[level]; i < rowStart[level + 1]; i++) {
      siblings.length = 0;
      for (let child = firstChild[order[i]]; child !== 0; child = nextSibling[child]) {
        if (total[child] > 0) {
          siblings.push(child);
        }
      }
      if (siblings.length > 1) {
        siblings.sort((a, b) => total[b] - total[a] || a - b);
      }
      let x = begin[order[i]];
      for (const child of siblings) {
        begin[child] = x;
        x += total[child];
        end[child] = x;
        row[child] = level + 1;
        order[placed++] = child;
      }
    }
    rowStart.push(placed);
  }
  rowStart.pop();
  return withLengths({ order: order.subarray(0, placed), rowStart: Uint32Array.from(rowStart), begin, end, row });
}

/** The node that a frame was merged into. */
export function nodeOfFrame(merger, profile, keys, frame) {
  const path = [];
  for (let above = frame; above >= 0; above = profile.parent[above]) {
    path.push(keys.ofInstance[profile.instance[above]]);
  }
  return path.reduceRight((node, key) => merger.find(node, key), 0);
}

/** The whole recording merged, with what was in the base, if there is one. */
export function mergeAll(profile, keys, base) {
  const merger = new Merger();
  const path = [];
  for (let i = 0; i < profile.n; i++) {
    const depth = profile.depth[i];
    const node = merger.child(depth > 0 ? path[depth - 1] : 0, keys.ofInstance[profile.instance[i]], i);
    path[depth] = node;
    merger.add(node, profile, i);
    if (depth === 0) {
      merger.total[0] += profile.total[i];
    }
  }
  for (let i = 0; base && i < base.n; i++) {
    const depth = base.depth[i];
    const node = merger.child(depth > 0 ? path[depth - 1] : 0, keys.ofBase[base.instance[i]], -1);
    path[depth] = node;
    merger.addBase(node, base, i);
    if (depth === 0) {
      merger.oldTotal[0] += base.total[i];
    }
  }
  merger.addUp();
  merger.count[0] = profile.n;
  merger.oldCount[0] = base ? base.n : 0;
  return merger;
}
