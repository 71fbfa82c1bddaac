// SPDX-License-Identifier: MIT
// A chart of boxes on a canvas: bands of rows over one axis. What the boxes are is the bands' matter.
//
// A band is {title, note, levels, firstRow, nRows, isUpward, life: [from, to] or null, matches, isMatch(id), colorOf(id), labelOf(id),
// parentOf(id), rowOf(id)}; rows are counted from the band's own. A box is {band, id}, band being the index.
import { announce, oncePerFrame } from "../base/dom.js";
import { formatCount, formatTick } from "../base/format.js";
import { boxAt, firstBeginningAt, firstEndingAfter } from "../data/levels.js";
import { addGestures } from "../draw/gestures.js";
import { inkOn } from "../draw/palette.js";
import { Brush, paintLabels, paintRow, tickStep } from "../draw/paint.js";
import { AxisWindow } from "../draw/window.js";

const AXIS_HEIGHT = 24;
const TITLE_HEIGHT = 26;
const BAND_GAP = 8;
const FONT = '11.5px ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace';
const TITLE_FONT = '600 12px system-ui, "Segoe UI", Roboto, sans-serif';
const NOTE_FONT = '12px system-ui, "Segoe UI", Roboto, sans-serif';

export class Chart {
  /**
   * @param on  {select(box or null), hover(box or null, x, y), moved(), describe(box) → text}
   */
  constructor(canvas, on) {
    this.canvas = canvas;
    this.on = on;
    this.context = canvas.getContext("2d", { alpha: false });
    this.bands = [];
    this.marks = [];
    this.selected = null;
    this.hovered = null;
    this.scroll = 0;
    this.width = 0;
    this.height = 0;
    this.rowHeight = matchMedia("(pointer: coarse)").matches ? 22 : 19;
    this.repaint = oncePerFrame(() => this.paint());
    this.axis = new AxisWindow(() => {
      this.repaint();
      on.moved();
    });
    new ResizeObserver(() => this.resize()).observe(canvas);
    addGestures(this);
  }

  /** @param look  {fills, colors: {background, text, muted, line, band, accent}} */
  setLook(look) {
    this.look = look;
    this.inks = { on: look.fills.map(inkOn), faded: look.colors.muted };
    this.repaint();
  }

  /** @param isCount  the axis is in frames, not in ns */
  setBands(bands, max, { marks = [], isCount = false } = {}) {
    this.bands = bands;
    this.marks = marks;
    this.isCount = isCount;
    this.axis.setMax(max, isCount);
    this.place();
    this.repaint();
  }

  select(box) {
    this.selected = box;
    this.repaint();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) {
      return;
    }
    const ratio = devicePixelRatio || 1;
    this.width = clientWidth;
    this.height = clientHeight;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.scrollBy(0);
    if (!this.isCentred) {
      this.isCentred = true;
      this.centre();
    }
    this.paint();
  }

  // ---- where things are

  place() {
    let y = 0;
    for (const band of this.bands) {
      band.top = y + (band.title ? TITLE_HEIGHT : 0);
      y = band.top + band.nRows * this.rowHeight + BAND_GAP;
    }
    this.contentHeight = y;
    this.scrollBy(0);
  }

  get scale() {
    return this.width / (this.axis.to - this.axis.from);
  }

  xAt(pixel) {
    return this.axis.from + pixel / this.scale;
  }

  /** Where a row of a band is on the canvas. */
  yOf(band, row) {
    const line = band.isUpward ? band.nRows - 1 - row : row;
    return AXIS_HEIGHT + band.top + line * this.rowHeight - this.scroll;
  }

  /** The box at a place on the canvas, or null. One that is too narrow to hit counts a pixel away. */
  boxAtPixel(x, y) {
    const inside = y - AXIS_HEIGHT + this.scroll;
    const index = this.bands.findIndex((b) => inside >= b.top && inside < b.top + b.nRows * this.rowHeight);
    if (y < AXIS_HEIGHT || index < 0) {
      return null;
    }
    const band = this.bands[index];
    const line = Math.floor((inside - band.top) / this.rowHeight);
    const row = band.firstRow + (band.isUpward ? band.nRows - 1 - line : line);
    for (const near of [0, 1, -1]) {
      const id = boxAt(band.levels, row, this.xAt(x + near));
      if (id >= 0) {
        return { band: index, id };
      }
    }
    return null;
  }

  // ---- moving

  panPixels(pixels) {
    this.axis.panBy(pixels / this.scale);
  }

  scrollBy(pixels) {
    const most = Math.max(0, (this.contentHeight || 0) + AXIS_HEIGHT - this.height);
    this.scroll = Math.min(Math.max(this.scroll + pixels, 0), most);
    this.repaint();
  }

  reset() {
    this.scroll = 0;
    this.centre();
    this.axis.reset();
  }

  /** A chart with an upward band shows first where its bands meet. */
  centre() {
    const meets = this.bands.findIndex((band) => band.isUpward) + 1;
    if (meets > 0 && meets < this.bands.length) {
      this.scroll = 0;
      this.scrollBy(this.bands[meets].top - 0.55 * this.height);
    }
  }

  zoomTo(box) {
    const { levels } = this.bands[box.band];
    const margin = (levels.end[box.id] - levels.begin[box.id]) * 0.02;
    this.axis.glideTo(levels.begin[box.id] - margin, levels.end[box.id] + margin);
    this.reveal(box);
  }

  zoomToSelected() {
    if (this.selected) {
      this.zoomTo(this.selected);
    }
  }

  /** Scrolls, and moves the window if it must, so that the box is in sight. */
  reveal(box) {
    const band = this.bands[box.band];
    const y = this.yOf(band, band.rowOf(box.id));
    if (y < AXIS_HEIGHT) {
      this.scrollBy(y - AXIS_HEIGHT - this.rowHeight);
    } else if (y > this.height - 2 * this.rowHeight) {
      this.scrollBy(y - this.height + 3 * this.rowHeight);
    }
  }

  revealInTime(box) {
    const { levels } = this.bands[box.band];
    const { from, to } = this.axis;
    if (levels.end[box.id] < from || levels.begin[box.id] > to) {
      const middle = (levels.begin[box.id] + levels.end[box.id]) / 2;
      this.axis.set(middle - (to - from) / 2, middle + (to - from) / 2);
    }
    this.reveal(box);
  }

  // ---- pointing and stepping

  hover(x, y, kind) {
    const box = this.boxAtPixel(x, y);
    this.hovered = box;
    this.canvas.style.cursor = box ? "pointer" : "grab";
    this.on.hover(kind === "touch" ? null : box, x, y);
    this.repaint();
  }

  leave() {
    this.hovered = null;
    this.on.hover(null, 0, 0);
    this.repaint();
  }

  click(x, y) {
    this.choose(this.boxAtPixel(x, y));
  }

  choose(box) {
    this.selected = box;
    this.on.select(box);
    this.repaint();
  }

  step(direction) {
    const box = this.selected ? this.neighbour(this.selected, direction) : this.firstInSight();
    if (box) {
      this.choose(box);
      this.revealInTime(box);
      announce(this.on.describe(box));
    }
  }

  firstInSight() {
    for (let band = 0; band < this.bands.length; band++) {
      const { levels, firstRow } = this.bands[band];
      const end = levels.rowStart[firstRow + 1];
      const at = firstEndingAfter(levels, levels.rowStart[firstRow], end, this.axis.from);
      if (at < end) {
        return { band, id: levels.order[at] };
      }
    }
    return null;
  }

  neighbour(box, direction) {
    const band = this.bands[box.band];
    const isTowardsTop = (direction === "up") !== Boolean(band.isUpward);
    let id = -1;
    if (direction === "left" || direction === "right") {
      id = this.sibling(band, box.id, direction === "left" ? -1 : 1);
    } else if (isTowardsTop) {
      id = band.parentOf(box.id);
    } else {
      id = this.firstChild(band, box.id);
    }
    return id >= 0 ? { band: box.band, id } : null;
  }

  sibling(band, id, step) {
    const { levels } = band;
    const row = band.firstRow + band.rowOf(id);
    const end = levels.rowStart[row + 1];
    let at = firstBeginningAt(levels, levels.rowStart[row], end, levels.begin[id]);
    while (at < end && levels.order[at] !== id) {
      at++;
    }
    at += step;
    return at >= levels.rowStart[row] && at < end ? levels.order[at] : -1;
  }

  firstChild(band, id) {
    const { levels } = band;
    const row = band.rowOf(id) + 1;
    if (row >= band.nRows) {
      return -1;
    }
    const start = levels.rowStart[band.firstRow + row];
    const end = levels.rowStart[band.firstRow + row + 1];
    for (let at = firstEndingAfter(levels, start, end, levels.begin[id]); at < end; at++) {
      const child = levels.order[at];
      if (band.parentOf(child) === id) {
        return child;
      }
      if (levels.begin[child] > levels.end[id]) {
        break;
      }
    }
    return -1;
  }

  // ---- painting

  paint() {
    if (this.width === 0 || !this.look) {
      return;
    }
    const { context } = this;
    context.fillStyle = this.look.colors.background;
    context.fillRect(0, 0, this.width, this.height);
    this.paintGrid();
    for (const band of this.bands) {
      this.paintBand(band);
    }
    this.paintOutline(this.hovered, this.look.colors.text, 1);
    this.paintOutline(this.selected, this.look.colors.accent, 2.5);
    this.paintMarks();
    this.paintAxis();
    this.paintScrollbar();
    this.canvas.dataset.painted = String(Number(this.canvas.dataset.painted || 0) + 1);
  }

  paintBand(band) {
    const { context } = this;
    const top = AXIS_HEIGHT + band.top - this.scroll;
    const bottom = top + band.nRows * this.rowHeight;
    if (bottom < 0 || top - TITLE_HEIGHT > this.height) {
      return;
    }
    if (band.life) {
      const left = Math.max((band.life[0] - this.axis.from) * this.scale, 0);
      const right = Math.min((band.life[1] - this.axis.from) * this.scale, this.width);
      context.fillStyle = this.look.colors.band;
      context.fillRect(left, top, Math.max(right - left, 0), bottom - top);
    }
    context.font = FONT;
    if (!this.letterWidth) {
      this.letterWidth = context.measureText("0".repeat(50)).width / 50;
    }
    const view = { from: this.axis.from, scale: this.scale, width: this.width };
    const brush = new Brush(context, this.look.fills);
    const labels = [];
    for (let row = 0; row < band.nRows; row++) {
      const y = this.yOf(band, row);
      if (y + this.rowHeight >= AXIS_HEIGHT && y <= this.height) {
        paintRow(brush, labels, band, band.firstRow + row, y, this.rowHeight, view);
      }
    }
    brush.paint();
    paintLabels(context, labels, band, this.letterWidth, this.rowHeight, this.inks);
    this.paintTitle(band, top);
  }

  paintTitle(band, top) {
    if (!band.title) {
      return;
    }
    const { context } = this;
    const y = top - TITLE_HEIGHT / 2;
    context.textBaseline = "middle";
    context.font = TITLE_FONT;
    context.fillStyle = this.look.colors.text;
    context.fillText(band.title, 10, y);
    const width = context.measureText(band.title).width;
    context.font = NOTE_FONT;
    context.fillStyle = this.look.colors.muted;
    context.fillText(band.note || "", 20 + width, y);
  }

  paintOutline(box, color, lineWidth) {
    const band = box && this.bands[box.band];
    if (!band || box.id >= band.levels.begin.length) {
      return;
    }
    const left = Math.max((band.levels.begin[box.id] - this.axis.from) * this.scale, -4);
    const right = Math.min((band.levels.end[box.id] - this.axis.from) * this.scale, this.width + 4);
    if (right < 0 || left > this.width) {
      return;
    }
    const y = this.yOf(band, band.rowOf(box.id));
    this.context.strokeStyle = color;
    this.context.lineWidth = lineWidth;
    this.context.strokeRect(left, y, Math.max(right - left - 1, 2), this.rowHeight - 1);
  }

  ticks() {
    const step = this.isCount ? Math.max(tickStep(this.scale, 110), 1) : tickStep(this.scale, 110);
    const ticks = [];
    for (let i = Math.ceil(this.axis.from / step); i * step <= this.axis.to; i++) {
      ticks.push({ x: (i * step - this.axis.from) * this.scale, text: this.isCount ? formatCount(i * step) : formatTick(i * step, step) });
    }
    return ticks;
  }

  paintGrid() {
    this.context.fillStyle = this.look.colors.line;
    for (const { x } of this.ticks()) {
      this.context.fillRect(Math.round(x), AXIS_HEIGHT, 1, this.height);
    }
  }

  paintAxis() {
    const { context } = this;
    context.fillStyle = this.look.colors.background;
    context.fillRect(0, 0, this.width, AXIS_HEIGHT);
    context.fillStyle = this.look.colors.line;
    context.fillRect(0, AXIS_HEIGHT - 1, this.width, 1);
    context.font = NOTE_FONT;
    context.textBaseline = "middle";
    context.fillStyle = this.look.colors.muted;
    for (const { x, text } of this.ticks()) {
      context.fillText(text, x + 5, AXIS_HEIGHT / 2);
    }
  }

  paintMarks() {
    const { context } = this;
    context.font = NOTE_FONT;
    for (const mark of this.marks) {
      const x = Math.round((mark.time - this.axis.from) * this.scale);
      if (x >= 0 && x <= this.width) {
        context.fillStyle = this.look.colors.accent;
        context.fillRect(x, AXIS_HEIGHT, 1, this.height);
        context.fillText(mark.name, x + 4, this.height - 10);
      }
    }
  }

  paintScrollbar() {
    const inSight = this.height - AXIS_HEIGHT;
    if (this.contentHeight <= inSight) {
      return;
    }
    const size = Math.max((inSight * inSight) / this.contentHeight, 24);
    const y = AXIS_HEIGHT + (this.scroll / (this.contentHeight - inSight)) * (inSight - size);
    this.context.fillStyle = this.look.colors.muted;
    this.context.globalAlpha = 0.5;
    this.context.fillRect(this.width - 5, y, 4, size);
    this.context.globalAlpha = 1;
  }
}
