// SPDX-License-Identifier: MIT
// What the colours mean.
import { byId, element, replaceChildren } from "../base/dom.js";
import { formatShare } from "../base/format.js";

function legendEntry(color, text) {
  const swatch = element("i", { class: "swatch" });
  swatch.style.background = color;
  return element("span", {}, swatch, text);
}

/** @param found  the colour of what search found, or "" */
export function showLegend(palette, fills, inference, found) {
  const entries = palette.entries.map(({ color, text, self }) =>
    legendEntry(fills[color], self === undefined ? text : `${text} ${formatShare(self, inference)}`),
  );
  if (found) {
    entries.unshift(legendEntry(found, "found"));
  }
  replaceChildren(byId("legend"), ...entries);
}
