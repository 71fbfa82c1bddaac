// SPDX-License-Identifier: MIT
// Elements. Text comes into the page by textContent only: names of functions may look like markup.

/** element("p", {class: "note", onclick: f}, "text", child, …) */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) {
      made.addEventListener(name.slice(2), value);
    } else if (value === true) {
      made.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function byId(id) {
  return document.getElementById(id);
}

export function replaceChildren(parent, ...children) {
  parent.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

/** What a screen reader is to say now. */
export function announce(text) {
  byId("announcer").textContent = text;
}

/** Calls `f` once in the next frame, however often it was asked for. */
export function oncePerFrame(f) {
  let isAsked = false;
  return () => {
    if (!isAsked) {
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        f();
      });
    }
  };
}

/** Lets the browser paint and take input before going on. */
export function breathe() {
  return new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done();
    channel.port2.postMessage(null);
  });
}

/** Waits until the page has been painted, or would have been were it in sight. */
export function nextFrame() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100); // a page in the background gets no frames
  });
}

/** Copies where the page may; a file:// page falls back on the old way. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { class: "off-screen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  announce("Copied");
}

export function prefersLessMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
