// SPDX-License-Identifier: MIT
// Colours of boxes. They are Paul Tol's "light" and "YlOrBr" schemes, which people who see few colours can tell apart, and on
// which text is readable.

const PLAIN = { light: "#d3d7de", dark: "#7d8590" };
const NAMED = ["#77aadd", "#ee8866", "#44bb99", "#eedd88", "#ffaabb", "#bbcc33", "#99ddff", "#c9a8e0"];

/** What search found, whatever the other colours are. */
export const FOUND_COLOR = { light: "#7a2fc4", dark: "#b98aff" };

/** A frame has the colour of the first of its flags in this order. */
const FLAG_COLORS = [
  ["aborted", "#b3263a"],
  ["unfinished", "#b3263a"],
  ["constprop", "#ee8866"],
  ["semiconcrete", "#eedd88"],
  ["generator", "#c9a8e0"],
  ["nested", "#ffaabb"],
  ["cycle", "#99ddff"],
  ["toplevel", "#77aadd"],
  ["invalidated", "#c08a28"],
  ["repeated", "#bbcc33"],
  ["tooling", "#44bb99"],
];

const SELF_COLORS = {
  light: ["#eceef1", "#fff3b8", "#fee391", "#fec44f", "#fb9a29", "#dd6310", "#993404"],
  dark: ["#4a5058", "#675a3b", "#7d6328", "#b98b24", "#e0a229", "#f7c250", "#fff0b0"],
};
/** Shares of inference at which a step ends. */
const SELF_STEPS = [1e-5, 1e-4, 5e-4, 2e-3, 1e-2, 5e-2];

/** Of what changed: as before, then grew and shrank, more and more. */
const CHANGE_COLORS = {
  light: ["#e6e8ec", "#fbd5cd", "#f5a898", "#ea7563", "#c93d2c", "#d3e2f8", "#a3c4f0", "#6c9fe2", "#2f66b5"],
  dark: ["#4a5058", "#8a4a42", "#a84b3e", "#e8705d", "#ff9d8c", "#33517e", "#3c629c", "#74a5ea", "#a9c9ff"],
};
const CHANGE_STEPS = 4;

function luminance(color) {
  const parts = [1, 3, 5].map((at) => {
    const c = parseInt(color.slice(at, at + 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

/** Black or white, whichever is read better on `color`. */
export function inkOn(color) {
  return luminance(color) > 0.2 ? "#16181d" : "#ffffff";
}

/** Packages or modules by self time: the greatest eight have colours of their own, the rest is plain. */
function byGroup(profile, part) {
  const self = new Map();
  profile.instances.forEach((instance) => {
    self.set(instance[part], (self.get(instance[part]) || 0) + instance.self);
  });
  const greatest = [...self].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, NAMED.length);
  const numbers = new Map(greatest.map(([name], i) => [name, i + 1]));
  const ofInstance = Uint8Array.from(profile.instances, (instance) => numbers.get(instance[part]) || 0);
  const entries = greatest.map(([name, ns], i) => ({ color: i + 1, text: name || "(none)", self: ns }));
  if (self.size > greatest.length) {
    const rest = [...self.values()].reduce((a, b) => a + b, 0) - greatest.reduce((a, [, ns]) => a + ns, 0);
    entries.push({ color: 0, text: `${self.size - greatest.length} others`, self: rest });
  }
  return { fills: (theme) => [PLAIN[theme], ...NAMED], entries, colorOf: (instance) => ofInstance[instance] || 0 };
}

function byFlag(profile) {
  const bits = FLAG_COLORS.map(([name]) => 1 << profile.flagNames.indexOf(name));
  const colorOf = (instance, flags) => {
    for (let i = 0; flags !== 0 && i < bits.length; i++) {
      if (flags & bits[i]) {
        return i + 1;
      }
    }
    return 0;
  };
  const entries = FLAG_COLORS.map(([name], i) => ({ color: i + 1, text: name })).filter((_, i) => profile.about.flags_seen & bits[i]);
  entries.push({ color: 0, text: "no flag" });
  return { fills: (theme) => [PLAIN[theme], ...FLAG_COLORS.map(([, color]) => color)], entries, colorOf };
}

function bySelf(profile, formatTime) {
  const limits = SELF_STEPS.map((share) => share * profile.about.inference_ns);
  const colorOf = (instance, flags, self) => {
    let step = 0;
    while (step < limits.length && self >= limits[step]) {
      step++;
    }
    return step;
  };
  const entries = limits.map((limit, i) => ({ color: i, text: `< ${formatTime(limit)}` }));
  entries.push({ color: limits.length, text: `≥ ${formatTime(limits[limits.length - 1])}` });
  return { fills: (theme) => SELF_COLORS[theme], entries: entries.reverse(), colorOf };
}

/** The root of the change's share of the greatest: small changes stay visible, and do not cry. */
function byChange() {
  const colorOf = (instance, flags, self, change) => {
    if (!change || change.now === change.before) {
      return 0;
    }
    const share = Math.sqrt(Math.abs(change.now - change.before) / Math.max(change.greatest, 1));
    const step = Math.max(1, Math.min(CHANGE_STEPS, Math.ceil(share * CHANGE_STEPS)));
    return change.now > change.before ? step : CHANGE_STEPS + step;
  };
  const entries = [
    { color: CHANGE_STEPS, text: "grew most" },
    { color: 2, text: "grew" },
    { color: 0, text: "as before" },
    { color: CHANGE_STEPS + 2, text: "shrank" },
    { color: 2 * CHANGE_STEPS, text: "shrank most" },
  ];
  return { fills: (theme) => CHANGE_COLORS[theme], entries, colorOf, needsChange: true };
}

/**
 * {fills(theme), entries: [{color, text, self}] for the legend, colorOf(instance, flags, self, change), needsChange}; a change is {now,
 * before, greatest}. Instance -1 is one that only the base has.
 */
export function makePalette(profile, kind, formatTime) {
  if (kind === "flag") {
    return byFlag(profile);
  }
  if (kind === "change") {
    return byChange();
  }
  return kind === "self" ? bySelf(profile, formatTime) : byGroup(profile, kind);
}

export const COLOR_KINDS = ["package", "module", "flag", "self"];

/** With a base, this too. */
export const CHANGE_KIND = "change";
