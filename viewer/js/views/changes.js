// SPDX-License-Identifier: MIT
// What the colours of a view compare, when they tell what changed.

/** A function that tells how a key changed, as a palette takes it; null if no colour depends on it. */
export function changesOfKeys(app) {
  const { palette, analysis, state } = app;
  if (!palette.needsChange || !analysis.base) {
    return null;
  }
  const isCount = state.get("weight").startsWith("count");
  return (key) => analysis.changeOfKey(state.get("by"), key, isCount);
}

/** Likewise of a node of the merged tree. */
export function changesOfNodes(app, { merger, greatest }) {
  if (!app.palette.needsChange || !app.analysis.base) {
    return null;
  }
  const isCount = app.state.get("weight").startsWith("count");
  const [now, before] = isCount ? [merger.all, merger.oldAll] : [merger.total, merger.oldTotal];
  return (node) => ({ now: now[node], before: before[node], greatest });
}
