// SPDX-License-Identifier: MIT
// The way from the top to what is selected; each step is a button that goes there.
import { byId, element, replaceChildren } from "../base/dom.js";

const SHOWN = 6; // of a longer path the outermost and the innermost steps

function crumb(step) {
  return element("button", { type: "button", title: step.name, onclick: step.go }, step.name);
}

/** @param steps  [{name, go}], the outermost first */
export function showCrumbs(goToTop, steps) {
  const top = element("button", { type: "button", class: "all", onclick: goToTop }, "All");
  const parts = [top];
  const skipped = steps.length > SHOWN ? steps.length - SHOWN : 0;
  steps.forEach((step, i) => {
    if (skipped > 0 && i >= 2 && i < 2 + skipped) {
      if (i === 2) {
        parts.push("›", element("span", { title: `${skipped} more` }, "…"));
      }
      return;
    }
    parts.push("›", crumb(step));
  });
  replaceChildren(byId("crumbs"), ...parts);
}
