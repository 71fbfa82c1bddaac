// SPDX-License-Identifier: MIT
// What the colours mean.
import { byId, element, replaceChildren } from "../base/dom.js";
import { formatShare } from "../base/format.js";

export function showLegend(palette, fills, inference) {
  const entries = palette.entries.map(({ color, text, self }) => {
    const swatch = element("i", { class: "swatch" });
    swatch.style.background = fills[color];
    return element("span", {}, swatch, self === undefined ? text : `${text} ${formatShare(self, inference)}`);
  });
  replaceChildren(byId("legend"), ...entries);
}
