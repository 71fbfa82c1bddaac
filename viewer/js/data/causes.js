// SPDX-License-Identifier: MIT
// Who caused inference, and what to change: triggers by pair, and findings (lib/export/html_causes.c is the other side).
import { instanceOf } from "../data/profile.js";

const INLINED = 1;
const OF_C = 2;

function placeOf([name, file, line, bits]) {
  return { name: name || "?", file, line, isInlined: (bits & INLINED) !== 0, isC: (bits & OF_C) !== 0 };
}

export class Causes {
  constructor(profile, about) {
    this.others = about.others.map(instanceOf);
    this.instances = profile.instances;
    this.codes = about.codes.map((places) => places.map(placeOf));
    this.triggers = { ...about.triggers, rows: about.triggers.rows.map((row) => this.rowOf(row)) };
    this.advice = about.advice;
  }

  instance(number) {
    const n = this.instances.length;
    return number < 0 ? null : number < n ? this.instances[number] : this.others[number - n];
  }

  /** {callee, caller (null: none, or not known), calleeNumber (-1: it has no frames in the page), word, isNear, file, line, total, count, frame (-1), chain, stack} */
  rowOf([callee, caller, word, isNear, file, line, total, count, frame, chain, stack]) {
    return {
      callee: this.instance(callee),
      caller: typeof caller === "string" ? instanceOf([caller, caller, caller, "", "", "", 0, 0]) : this.instance(caller),
      calleeNumber: callee < this.instances.length ? callee : -1,
      word,
      isNear,
      file,
      line,
      total,
      count,
      frame,
      chain: chain.map(placeOf),
      stack,
    };
  }

  /** Places of a row's stack, innermost first. */
  stackOf(row) {
    return row.stack.flatMap((code) => {
      const places = code < 0 ? [] : this.codes[code];
      return places.length > 0 ? places : [placeOf(["", "", 0, 0])];
    });
  }

  /** [{word, total, count}] of the classes, the costliest first. */
  classes() {
    const found = new Map();
    for (const { word, total, count } of this.triggers.rows) {
      const sums = found.get(word) || { word, total: 0, count: 0 };
      sums.total += total;
      sums.count += count;
      found.set(word, sums);
    }
    return [...found.values()].sort((a, b) => b.total - a.total || (a.word < b.word ? -1 : 1));
  }
}

/** Who a row's inference was for, where no function is: as `snoopi triggers` says it. */
export function callerText(row) {
  if (row.caller) {
    return row.caller.name;
  }
  const words = { toplevel: "(top level)", task: "(start of a task)", load: "(package loading)" };
  const isAtTop = ["precompile", "return_type", "reflection"].includes(row.word) && row.file;
  return words[row.word] || (isAtTop ? "(top level)" : "(not known)");
}
