// SPDX-License-Identifier: MIT
// What stands beside the pointer.
import { byId, element, replaceChildren } from "../base/dom.js";
import { thingPairs, whereText } from "../ui/things.js";

const DISTANCE = 14;

export function hideTooltip() {
  byId("tooltip").hidden = true;
}

/** Shows a thing at a place of the window, inside of it. */
export function showTooltip(profile, thing, x, y) {
  const tooltip = byId("tooltip");
  const where = whereText(thing);
  replaceChildren(
    tooltip,
    element("p", { class: "title" }, thing.name),
    where ? element("p", { class: "place" }, where) : null,
    thingPairs(profile, thing),
  );
  tooltip.hidden = false;
  const { offsetWidth, offsetHeight } = tooltip;
  const left = x + DISTANCE + offsetWidth > innerWidth ? x - DISTANCE - offsetWidth : x + DISTANCE;
  const top = y + DISTANCE + offsetHeight > innerHeight ? y - DISTANCE - offsetHeight : y + DISTANCE;
  tooltip.style.left = `${Math.max(left, 8)}px`;
  tooltip.style.top = `${Math.max(top, 8)}px`;
}
