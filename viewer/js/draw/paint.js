// SPDX-License-Identifier: MIT
// Paints rows of boxes. Boxes narrower than a pixel are painted as what they are together: a column whose strength is the share of
// the pixel that they cover. So the work follows the pixels, not the boxes.
import { firstBeginningAt, firstEndingAfter } from "../data/levels.js";

const STRENGTHS = [1, 0.75, 0.5, 0.3]; // of boxes, then of pixels that are less and less covered
const FADED = 0.2; // what search did not find
const MIN_LABEL = 26;

/** Rectangles by fill and strength: a canvas is slow in changing its colour. */
export class Brush {
  constructor(context, fills) {
    this.context = context;
    this.fills = fills;
    this.buckets = new Map();
  }

  add(color, strength, isFaded, x, y, width, height) {
    const number = (color * STRENGTHS.length + strength) * 2 + (isFaded ? 1 : 0);
    let bucket = this.buckets.get(number);
    if (!bucket) {
      bucket = [];
      this.buckets.set(number, bucket);
    }
    bucket.push(x, y, width, height);
  }

  paint() {
    for (const [number, bucket] of this.buckets) {
      const strength = STRENGTHS[(number >> 1) % STRENGTHS.length];
      this.context.globalAlpha = strength * (number & 1 ? FADED : 1);
      this.context.fillStyle = this.fills[Math.floor(number / 2 / STRENGTHS.length)];
      for (let i = 0; i < bucket.length; i += 4) {
        this.context.fillRect(bucket[i], bucket[i + 1], bucket[i + 2], bucket[i + 3]);
      }
    }
    this.context.globalAlpha = 1;
  }
}

function strengthOf(covered) {
  return covered > 0.75 ? 0 : covered > 0.5 ? 1 : covered > 0.25 ? 2 : 3;
}

/** The place behind the boxes that share a pixel with the one at `i`, but for one that reaches beyond it. */
function endOfPixel(levels, i, end, x, scale, from) {
  let j = firstBeginningAt(levels, i, end, from + (x + 1) / scale);
  j = Math.max(j, i + 1);
  if (j > i + 1 && (levels.end[levels.order[j - 1]] - from) * scale > x + 2) {
    j--;
  }
  return j;
}

/**
 * Puts the boxes of a row on the brush, and those that have room for a label on `labels`.
 *
 * @param view  {from, scale, width}: ns at the left edge, pixels for a ns, pixels
 * @param band  {levels, colorOf(id), matches: sums by place or null, isMatch(id)}; with matches, those have the brush's last colour
 */
export function paintRow(brush, labels, band, row, y, height, view) {
  const { levels, matches } = band;
  const { order, begin, end, rowStart, lengthBefore } = levels;
  const { from, scale, width } = view;
  const to = from + width / scale;
  const last = rowStart[row + 1];
  const found = brush.fills.length - 1;
  let i = firstEndingAfter(levels, rowStart[row], last, from);
  while (i < last && begin[order[i]] < to) {
    const id = order[i];
    const x = (begin[id] - from) * scale;
    const right = (end[id] - from) * scale;
    if (right - x >= 1.5) {
      const left = Math.max(x, -1);
      const shown = Math.min(right, width + 1) - left;
      const isFaded = matches !== null && !band.isMatch(id);
      const color = matches !== null && !isFaded ? found : band.colorOf(id);
      brush.add(color, 0, isFaded, left, y, shown > 3 ? shown - 1 : shown, height - 1);
      if (shown >= MIN_LABEL) {
        labels.push({ id, x: Math.max(left, 0), y, width: shown, isFaded, color });
      }
      i++;
    } else {
      const pixel = Math.floor(x);
      const j = endOfPixel(levels, i, last, pixel, scale, from);
      const isFaded = matches !== null && matches[j] === matches[i];
      const covered = (lengthBefore[j] - lengthBefore[i]) * scale;
      const color = matches !== null && !isFaded ? found : band.colorOf(id);
      brush.add(color, color === found ? 0 : strengthOf(covered), isFaded, pixel, y, 1, height - 1);
      i = j;
    }
  }
}

/** Text that fits: the font has one width for all letters. */
export function paintLabels(context, labels, band, letterWidth, height, inks) {
  context.textBaseline = "middle";
  for (const label of labels) {
    const letters = Math.floor((label.width - 8) / letterWidth);
    const text = band.labelOf(label.id);
    if (letters < 2) {
      continue;
    }
    context.globalAlpha = label.isFaded ? 0.55 : 1;
    context.fillStyle = label.isFaded ? inks.faded : inks.on[label.color];
    context.fillText(text.length > letters ? `${text.slice(0, letters - 1)}…` : text, label.x + 4, label.y + height / 2);
  }
  context.globalAlpha = 1;
}

/** Steps of 1, 2, 5 × 10ⁿ that are at least `pixels` apart. */
export function tickStep(scale, pixels) {
  const least = pixels / scale;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((f) => f * power).find((step) => step >= least);
}
