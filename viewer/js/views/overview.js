// SPDX-License-Identifier: MIT
// The whole recording in a strip: how much of each pixel's time was inference, and which part the timeline shows.
import { oncePerFrame } from "../base/dom.js";

const MIN_GRIP = 6;

/** Share of inference in each pixel, over all lanes. */
function density(profile, levels, max, width) {
  const busy = new Float64Array(width + 1);
  const scale = width / max;
  levels.firstRow.forEach((row) => {
    for (let i = levels.rowStart[row]; i < levels.rowStart[row + 1]; i++) {
      const frame = levels.order[i];
      spread(busy, profile.begin[frame] * scale, profile.end[frame] * scale);
    }
  });
  return busy;
}

function spread(busy, from, to) {
  const last = Math.min(Math.floor(to), busy.length - 1);
  for (let pixel = Math.max(Math.floor(from), 0); pixel <= last; pixel++) {
    busy[pixel] += Math.min(to, pixel + 1) - Math.max(from, pixel);
  }
}

export class Overview {
  constructor(canvas, axis) {
    this.canvas = canvas;
    this.axis = axis;
    this.context = canvas.getContext("2d", { alpha: false });
    this.repaint = oncePerFrame(() => this.paint());
    new ResizeObserver(() => this.resize()).observe(canvas);
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.moveTo(event);
    });
    canvas.addEventListener("pointermove", (event) => event.buttons > 0 && this.moveTo(event));
  }

  setColors(colors) {
    this.colors = colors;
    this.repaint();
  }

  setLevels(profile, levels) {
    this.profile = profile;
    this.levels = levels;
    this.busy = null;
    this.repaint();
  }

  resize() {
    const ratio = devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.busy = null;
    this.paint();
  }

  moveTo(event) {
    const middle = (event.offsetX / this.width) * this.axis.max;
    const half = (this.axis.to - this.axis.from) / 2;
    this.axis.set(middle - half, middle + half);
  }

  paint() {
    if (!this.colors || !this.levels || !this.width) {
      return;
    }
    const { context, width, height, colors, axis } = this;
    this.busy = this.busy || density(this.profile, this.levels, axis.max, width);
    context.fillStyle = colors.background;
    context.fillRect(0, 0, width, height);
    const left = (axis.from / axis.max) * width;
    const size = Math.max(((axis.to - axis.from) / axis.max) * width, MIN_GRIP);
    if (!axis.isWhole()) {
      context.fillStyle = colors.soft;
      context.fillRect(left, 0, size, height);
    }
    const most = Math.max(1, ...this.busy);
    context.fillStyle = colors.muted;
    for (let x = 0; x < width; x++) {
      const tall = (this.busy[x] / most) * (height - 6);
      context.fillRect(x, height - tall, 1, tall);
    }
    if (!axis.isWhole()) {
      context.strokeStyle = colors.accent;
      context.lineWidth = 1.5;
      context.strokeRect(left + 1, 1, size - 2, height - 2);
    }
  }
}
