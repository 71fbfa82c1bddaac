// SPDX-License-Identifier: MIT
// The part of an axis that is in sight.
import { prefersLessMotion } from "../base/dom.js";

const LEAST = 100; // ns
const GLIDE_MS = 180;

export class AxisWindow {
  constructor(onChange) {
    this.onChange = onChange;
    this.max = 1;
    this.from = 0;
    this.to = 1;
    this.glide = 0;
    this.least = LEAST; // that can be in sight
  }

  /** The axis is from 0 to `max`, in ns or, if `isCount`, in frames. What was all of it stays all of it. */
  setMax(max, isCount = false) {
    this.least = isCount ? 1 : LEAST;
    const wasWhole = this.isWhole();
    this.max = Math.max(max, this.least);
    if (wasWhole || this.to > this.max) {
      this.from = 0;
      this.to = this.max;
    }
  }

  isWhole() {
    return this.from <= 0 && this.to >= this.max;
  }

  set(from, to) {
    cancelAnimationFrame(this.glide);
    this.place(from, to);
  }

  place(from, to) {
    const length = Math.min(Math.max(to - from, Math.min(this.least, this.max)), this.max);
    this.from = Math.min(Math.max(from, 0), this.max - length);
    this.to = this.from + length;
    this.onChange();
  }

  /** `factor` < 1 goes in; the place `x` stays where it is. */
  zoomAt(x, factor) {
    this.set(x - (x - this.from) * factor, x + (this.to - x) * factor);
  }

  zoomMiddle(factor) {
    this.zoomAt((this.from + this.to) / 2, factor);
  }

  panBy(ns) {
    this.set(this.from + ns, this.to + ns);
  }

  reset() {
    this.glideTo(0, this.max);
  }

  glideTo(from, to) {
    cancelAnimationFrame(this.glide);
    if (prefersLessMotion()) {
      this.place(from, to);
      return;
    }
    const start = { from: this.from, to: this.to };
    const began = performance.now();
    const step = () => {
      const t = Math.min((performance.now() - began) / GLIDE_MS, 1);
      const eased = 1 - (1 - t) ** 3;
      this.place(start.from + (from - start.from) * eased, start.to + (to - start.to) * eased);
      if (t < 1) {
        this.glide = requestAnimationFrame(step);
      }
    };
    step();
  }
}
