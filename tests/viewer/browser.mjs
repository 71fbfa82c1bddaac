// SPDX-License-Identifier: MIT
// A browser for the tests, and pages of snoopi in it. What goes wrong on a page, and each request that it makes, is a failure.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

export const SOURCE_DIR = process.env.SNOOPI_SOURCE_DIR;
export const PAGES_DIR = process.env.SNOOPI_PAGES_DIR;
const require = createRequire(path.join(SOURCE_DIR, ".deps/browser/package.json"));
const { chromium } = require("playwright-core");
export const { AxeBuilder } = require("@axe-core/playwright");

const ARGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
];
export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 375, height: 740 };

let context = null;
let dataDir = "";

/** Starts the browser; to be stopped by closeBrowser(). */
export async function openBrowser() {
  dataDir = mkdtempSync(path.join(tmpdir(), "snoopi-browser-"));
  context = await chromium.launchPersistentContext(dataDir, { executablePath: "/usr/bin/chromium", args: ARGS, viewport: DESKTOP });
  context.setDefaultTimeout(30000);
}

export async function closeBrowser() {
  await context.close();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Opens PAGES_DIR/name.html; waits until all of it is loaded. `problems` of the page are told by expectNoProblems(). */
export async function openPage(name, { hash = "", size = DESKTOP, scheme = "light", url = null, wait = true } = {}) {
  const page = await context.newPage();
  page.problems = [];
  page.requests = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
  await page.goto((url || pathToFileURL(path.join(PAGES_DIR, `${name}.html`)).href) + hash);
  if (wait) {
    await page.waitForSelector("html[data-loaded]", { state: "attached" });
  }
  return page;
}

/** Nothing was asked for but the page itself, and nothing failed. Closes it. */
export async function closePage(page) {
  assert.deepEqual(page.problems, []);
  assert.equal(page.requests.length, 1, page.requests.join("\n"));
  await page.close();
}

/** What snoopi says of PAGES_DIR/name.snoopi, as JSON. */
export function snoopiJson(command, name, ...options) {
  const program = path.join(process.env.SNOOPI_BIN_DIR, "snoopi");
  const text = execFileSync(program, [command, "--format=json", ...options, path.join(PAGES_DIR, `${name}.snoopi`)], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  return JSON.parse(text);
}

/** All frames of PAGES_DIR/name.snoopi, by id. */
export function framesOf(name) {
  const program = path.join(process.env.SNOOPI_BIN_DIR, "snoopi");
  const trace = path.join(PAGES_DIR, `${name}.snoopi`);
  const text = execFileSync(program, ["export", "--to=jsonl", "-o", "-", trace], { encoding: "utf8", maxBuffer: 1 << 30 });
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** The terms of a list as an object. */
export async function pairsOf(page, selector) {
  return page.$$eval(`${selector} dt`, (terms) =>
    Object.fromEntries(terms.map((term) => [term.textContent, term.nextElementSibling.textContent])),
  );
}

/** What is selected, as the panel says it. */
export async function selectedName(page) {
  return (await page.$("#details h2")) ? page.textContent("#details h2") : "";
}

/** The rows of the table, all of them: {name, self, total, count}. */
export async function tableRows(page) {
  while (await page.$("#table-scroller .more button")) {
    await page.click("#table-scroller .more button");
  }
  return page.$$eval("#table-scroller tbody tr", (rows) =>
    rows.map((row) => {
      const values = [...row.querySelectorAll("td.number")].map((cell) => Number(cell.dataset.value));
      return { name: row.querySelector(".name").textContent, self: values[0], total: values[1], count: values[2] };
    }),
  );
}

/** The fragment once it has been written. */
export async function fragmentOf(page) {
  await page.waitForTimeout(250);
  return new URLSearchParams(new URL(page.url()).hash.slice(1));
}
