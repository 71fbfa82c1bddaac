// SPDX-License-Identifier: MIT
// The recording: its frames as columns, in pre-order, and what they refer to.
import { Cursor } from "../data/unpack.js";

/** The columns of a block, in their order (export_html.c). */
const COLUMNS = [
  "instance", "depth", "lane", "begin", "self", "below", "tool", "gc", "flags", "args", "argPosition", "argValue",
];

/** An instance, from the list that stands for it in the page. */
export function instanceOf([name, methodName, functionName, module, packageName, file, line, self]) {
  return { name, methodName, functionName, module, package: packageName, file, line, self };
}

export class Profile {
  /** @param about  what the page says about the recording; @param capacity  frames at most */
  constructor(about, capacity) {
    this.about = about;
    this.instances = about.instances.map(instanceOf);
    this.values = about.values;
    this.lanes = about.lanes;
    this.flagNames = about.flags;
    this.n = 0;
    this.instance = new Uint32Array(capacity);
    this.depth = new Uint32Array(capacity);
    this.lane = new Uint16Array(capacity);
    this.flags = new Uint32Array(capacity);
    this.parent = new Int32Array(capacity);
    // ns since the recording began; whole numbers
    this.begin = new Float64Array(capacity);
    this.end = new Float64Array(capacity);
    this.self = new Float64Array(capacity);
    this.total = new Float64Array(capacity);
    this.gc = new Float64Array(capacity);
    this.argBlocks = [];
    this.inference = 0; // sum of all self times
    this.maxTotal = 0;
    this.lastBegin = 0;
    this.path = []; // the last frame of each depth
  }

  /** Appends the frames of a block. */
  append(bytes) {
    const header = new Cursor(bytes);
    const n = header.next();
    const sizes = COLUMNS.map(() => header.next());
    const columns = {};
    let at = header.at;
    COLUMNS.forEach((name, i) => {
      columns[name] = new Cursor(bytes, at);
      at += sizes[i];
    });
    const first = this.n;
    this.readPlaces(columns, first, n);
    this.readTimes(columns, first, n);
    this.readArgs(columns, first, n);
    this.n += n;
  }

  readPlaces(columns, first, n) {
    const { instance, depth, lane, flags } = columns;
    for (let i = first; i < first + n; i++) {
      const level = depth.next();
      this.instance[i] = instance.next();
      this.depth[i] = level;
      this.lane[i] = lane.next();
      this.flags[i] = flags.next();
      this.parent[i] = level > 0 ? this.path[level - 1] : -1;
      this.path[level] = i;
    }
  }

  readTimes(columns, first, n) {
    const { begin, self, below, tool, gc } = columns;
    for (let i = first; i < first + n; i++) {
      this.lastBegin += begin.nextSigned();
      this.begin[i] = this.lastBegin;
      this.self[i] = self.next();
      this.total[i] = this.self[i] + below.nextSigned();
      this.end[i] = this.begin[i] + this.total[i] + tool.nextSigned();
      this.gc[i] = gc.next();
      this.inference += this.self[i];
      if (this.total[i] > this.maxTotal) {
        this.maxTotal = this.total[i];
      }
    }
  }

  readArgs(columns, first, n) {
    const starts = new Uint32Array(n + 1);
    for (let i = 0; i < n; i++) {
      starts[i + 1] = starts[i] + columns.args.next();
    }
    const positions = new Uint32Array(starts[n]);
    const values = new Uint32Array(starts[n]);
    for (let i = 0; i < starts[n]; i++) {
      positions[i] = columns.argPosition.next();
      values[i] = columns.argValue.next();
    }
    this.argBlocks.push({ first, starts, positions, values });
  }

  /** [{position, value}] of the constant arguments of a frame. */
  argsOf(frame) {
    const block = this.argBlocks[this.argBlocks.findIndex((b) => b.first > frame) - 1] || this.argBlocks[this.argBlocks.length - 1];
    const at = frame - block.first;
    const args = [];
    for (let i = block.starts[at]; i < block.starts[at + 1]; i++) {
      args.push({ position: block.positions[i], value: this.values[block.values[i]] });
    }
    return args;
  }

  /** Words of the flags that are set. */
  flagWords(flags) {
    return this.flagNames.filter((_, bit) => flags & (1 << bit));
  }

  /** The frame behind the last one below `frame`. */
  endOfSubtree(frame) {
    let i = frame + 1;
    while (i < this.n && this.depth[i] > this.depth[frame]) {
      i++;
    }
    return i;
  }
}
