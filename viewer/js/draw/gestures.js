// SPDX-License-Identifier: MIT
// Wheel, drag, pinch, click and keys on a chart.

const CLICK_PIXELS = 4;

function wheel(chart, event) {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : 1;
  if (event.shiftKey) {
    chart.scrollBy((event.deltaY || event.deltaX) * unit);
  } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    chart.panPixels(event.deltaX * unit);
  } else {
    chart.axis.zoomAt(chart.xAt(event.offsetX), Math.exp(event.deltaY * unit * 0.002));
  }
}

/** Fingers and mouse buttons that are down, by pointer id. */
class Pointers {
  constructor(chart) {
    this.chart = chart;
    this.down = new Map();
    this.moved = 0;
  }

  press(event) {
    this.chart.canvas.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.moved = this.down.size > 1 ? Infinity : 0;
  }

  move(event) {
    const before = this.down.get(event.pointerId);
    if (!before) {
      this.chart.hover(event.offsetX, event.offsetY, event.pointerType);
      return;
    }
    const now = { x: event.offsetX, y: event.offsetY };
    this.moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.down.size === 2) {
      this.pinch(event.pointerId, before, now);
    } else if (this.moved > CLICK_PIXELS) {
      this.chart.leave();
      this.chart.panPixels(before.x - now.x);
      this.chart.scrollBy(before.y - now.y);
    }
    this.down.set(event.pointerId, now);
  }

  pinch(id, before, now) {
    const other = [...this.down].find(([key]) => key !== id)[1];
    const was = Math.max(Math.abs(before.x - other.x), 10);
    const is = Math.max(Math.abs(now.x - other.x), 10);
    this.chart.axis.zoomAt(this.chart.xAt((now.x + other.x) / 2), was / is);
  }

  release(event) {
    if (this.down.delete(event.pointerId) && this.moved <= CLICK_PIXELS && event.type === "pointerup") {
      this.chart.click(event.offsetX, event.offsetY);
    }
  }
}

/** By key: what it does. Those of a letter are as in other viewers of traces. */
const CHART_KEYS = {
  ArrowUp: (chart) => chart.step("up"),
  ArrowDown: (chart) => chart.step("down"),
  ArrowLeft: (chart) => chart.step("left"),
  ArrowRight: (chart) => chart.step("right"),
  "Shift+ArrowLeft": (chart) => chart.panPixels(-80),
  "Shift+ArrowRight": (chart) => chart.panPixels(80),
  PageUp: (chart) => chart.scrollBy(-0.8 * chart.height),
  PageDown: (chart) => chart.scrollBy(0.8 * chart.height),
  "+": (chart) => chart.axis.zoomMiddle(1 / 1.5),
  "=": (chart) => chart.axis.zoomMiddle(1 / 1.5),
  "-": (chart) => chart.axis.zoomMiddle(1.5),
  w: (chart) => chart.axis.zoomMiddle(1 / 1.5),
  s: (chart) => chart.axis.zoomMiddle(1.5),
  a: (chart) => chart.panPixels(-80),
  d: (chart) => chart.panPixels(80),
  Enter: (chart) => chart.zoomToSelected(),
  0: (chart) => chart.reset(),
  Home: (chart) => chart.reset(),
};

function press(chart, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const action = CHART_KEYS[(event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "") + event.key];
  if (action) {
    event.preventDefault();
    action(chart);
  }
}

export function addGestures(chart) {
  const { canvas } = chart;
  const pointers = new Pointers(chart);
  canvas.addEventListener("wheel", (event) => wheel(chart, event), { passive: false });
  canvas.addEventListener("pointerdown", (event) => pointers.press(event));
  canvas.addEventListener("pointermove", (event) => pointers.move(event));
  canvas.addEventListener("pointerup", (event) => pointers.release(event));
  canvas.addEventListener("pointercancel", (event) => pointers.release(event));
  canvas.addEventListener("pointerleave", () => chart.leave());
  canvas.addEventListener("dblclick", () => chart.zoomToSelected());
  canvas.addEventListener("keydown", (event) => press(chart, event));
}
