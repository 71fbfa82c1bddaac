// SPDX-License-Identifier: MIT
// The recording that this one is compared to: frames as columns, for sums and merged trees (lib/export/html_base.c is the other side).
import { instanceOf } from "../data/profile.js";
import { Cursor } from "../data/unpack.js";

const BASE_COLUMNS = ["instance", "depth", "self", "below"];

/** By these an instance that does not match may still share its key with one that is there. */
const GREATER_KEYS = ["method", "function", "module", "package", "file"];

export class Base {
  constructor(profile, about) {
    this.about = about;
    this.instances = about.instances.map((one) => this.instanceAt(profile, one));
    this.n = 0;
    this.instance = new Uint32Array(about.frames);
    this.depth = new Uint32Array(about.frames);
    this.self = new Float64Array(about.frames);
    this.total = new Float64Array(about.frames);
    this.inference = 0;
  }

  /** {instance, number}: number of one in the profile, or -1 and, by greater key, of one that has that key. */
  instanceAt(profile, one) {
    if (typeof one === "number") {
      return { instance: profile.instances[one], number: one };
    }
    const [fields, ...matches] = one;
    return { instance: instanceOf(fields), number: -1, matches: Object.fromEntries(GREATER_KEYS.map((by, i) => [by, matches[i]])) };
  }

  append(bytes) {
    const header = new Cursor(bytes);
    const n = header.next();
    const sizes = BASE_COLUMNS.map(() => header.next());
    let at = header.at;
    const [instance, depth, self, below] = sizes.map((size) => {
      const column = new Cursor(bytes, at);
      at += size;
      return column;
    });
    for (let i = this.n; i < this.n + n; i++) {
      this.instance[i] = instance.next();
      this.depth[i] = depth.next();
      this.self[i] = self.next();
      this.total[i] = this.self[i] + below.nextSigned();
      this.inference += this.self[i];
    }
    this.n += n;
  }
}
