// SPDX-License-Identifier: MIT
// What is shown, as one set of values that the fragment of the address holds too: a link is a view.
//
//     #view=flame&by=method&q=getindex&sel=node:17&at=1000-2000
//
// sel is what is selected: frame:N, node:N of the merged tree, key:N, or trigger:N. All numbers are the same whenever the same file is opened.

const DEFAULTS = {
  view: "timeline",
  by: "instance",
  color: "package",
  weight: "time", // what widths are
  q: "",
  sel: "",
  at: "", // the part of the timeline's axis in sight, in ns; "" is all
  zoom: "", // likewise of the flame graph
  sort: "self",
  order: "descending",
  tsort: "total", // of the triggers
  torder: "descending",
  class: "", // triggers of this one alone
};

export class State {
  /** @param defaults  of what the page was made with; @param allowed  by name: the values that there are */
  constructor(defaults, allowed) {
    this.defaults = { ...DEFAULTS, ...defaults };
    this.allowed = allowed;
    this.values = { ...this.defaults };
    this.listeners = [];
    this.isWriting = 0;
    this.read();
    addEventListener("hashchange", () => {
      if (location.hash !== this.written) {
        this.read();
        this.tell(Object.keys(this.defaults));
      }
    });
  }

  get(name) {
    return this.values[name];
  }

  /** Takes new values; listeners are told the names of those that changed. */
  set(values) {
    const changed = Object.keys(values).filter((name) => this.values[name] !== values[name]);
    if (changed.length > 0) {
      Object.assign(this.values, values);
      this.write();
      this.tell(changed);
    }
  }

  /** The same without telling: for what moves many times a second. */
  note(name, value) {
    this.values[name] = value;
    this.write();
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  tell(names) {
    const changed = new Set(names);
    this.listeners.forEach((listener) => listener(changed));
  }

  read() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const name of Object.keys(this.defaults)) {
      const isTaken = given.has(name) && (!this.allowed[name] || this.allowed[name].includes(given.get(name)));
      this.values[name] = isTaken ? given.get(name) : this.defaults[name];
    }
  }

  fragment() {
    const shown = new URLSearchParams();
    for (const [name, value] of Object.entries(this.values)) {
      if (value !== this.defaults[name]) {
        shown.set(name, value);
      }
    }
    return shown.toString() ? `#${shown}` : "";
  }

  /** Browsers refuse too many changes of the address, so the last of many counts. */
  write() {
    clearTimeout(this.isWriting);
    this.isWriting = setTimeout(() => this.writeNow(), 150);
  }

  writeNow() {
    const fragment = this.fragment();
    if (fragment !== location.hash) {
      this.written = fragment;
      history.replaceState(null, "", fragment || location.href.replace(/#.*/, ""));
    }
  }
}

/** {kind, id} of a selection; null for none. */
export function selectionOf(text) {
  const match = /^(frame|node|key|trigger):(\d+)$/.exec(text);
  return match ? { kind: match[1], id: Number(match[2]) } : null;
}

/** "from-to" of an axis window; null for all. */
export function rangeOf(text) {
  const match = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text);
  return match && Number(match[2]) > Number(match[1]) ? { from: Number(match[1]), to: Number(match[2]) } : null;
}

export function rangeText(axis) {
  return axis.isWhole() ? "" : `${Math.max(0, Math.round(axis.from))}-${Math.round(axis.to)}`;
}
