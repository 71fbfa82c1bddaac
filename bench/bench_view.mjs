// SPDX-License-Identifier: MIT
// bench_view.mjs [--json] [--rounds=N] TRACE: how long the page of a trace takes until something shows, for a zoom and for a search, beside
// speedscope on the same trace in the same browser, one round of each in turn. Medians; ratios are those of the rounds. --json is what
// bench/run reads: times in ms.
//
// Needs SNOOPI (the program), and fetches what it runs: tools/get-browser, and speedscope from npm into .deps/speedscope.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const SPEEDSCOPE = "1.25.0";
const STEPS = 15;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const snoopi = process.env.SNOOPI || path.join(root, "build/release/bin/snoopi");

function fetchPrograms() {
  execFileSync(path.join(root, "tools/get-browser"), { stdio: "inherit" });
  const tree = path.join(root, ".deps/speedscope");
  if (!existsSync(path.join(tree, "node_modules/speedscope/dist"))) {
    mkdirSync(tree, { recursive: true });
    execFileSync("npm", ["install", "--prefix", tree, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", `speedscope@${SPEEDSCOPE}`]);
  }
  return path.join(tree, "node_modules/speedscope/dist/release");
}

/** Serves files of some folders: both pages come the same way. */
async function serve(folders) {
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json" };
  const server = http.createServer((request, response) => {
    const name = new URL(request.url, "http://x").pathname;
    const file = folders.map((folder) => path.join(folder, name)).find((one) => existsSync(one));
    response.writeHead(file ? 200 : 404, { "Content-Type": types[path.extname(name)] || "application/octet-stream" });
    response.end(file ? readFileSync(file) : "");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** ms from doing something in the page until it has been painted. */
function untilPainted(page, action) {
  return page.evaluate(async (text) => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await painted();
    const began = performance.now();
    new Function(text)();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - began;
  }, action);
}

async function zooms(page, action) {
  const times = [];
  for (let i = 0; i < STEPS; i++) {
    times.push(await untilPainted(page, action));
  }
  return median(times);
}

/** ms from typing until `isDone` (text of a function) is true and painted. */
async function searches(page, type, isDone) {
  const began = await page.evaluate(() => performance.now());
  await type();
  await page.waitForFunction(isDone, undefined, { polling: "raf", timeout: 120000 });
  return (await page.evaluate(() => performance.now())) - began;
}

async function measureOurs(page, url) {
  await page.goto(`${url}/page.html`);
  await page.waitForSelector("html[data-loaded]", { state: "attached", timeout: 120000 });
  const marks = await page.evaluate(() => {
    const at = (name) => performance.getEntriesByName(name)[0].startTime;
    return { shell: at("first-contentful-paint"), frames: at("snoopi-first-frames"), all: at("snoopi-loaded") };
  });
  const wheel = `const c = document.querySelector(".chart"); c.dispatchEvent(new WheelEvent("wheel", { deltaY: -60, clientX: 500, clientY: 400, cancelable: true }))`;
  const zoom = await zooms(page, wheel);
  await page.click("#reset");
  await page.waitForTimeout(400);
  const wide = await zooms(page, `const c = document.querySelector(".chart"); c.dispatchEvent(new WheelEvent("wheel", { deltaY: -1, cancelable: true }))`);
  const search = await searches(page, () => page.fill("#search", "method77"), 'document.getElementById("found").textContent !== ""');
  const flame = await untilPainted(page, 'document.getElementById("tab-flame").click()');
  const memory = await page.evaluate(() => performance.memory.usedJSHeapSize / 1e6);
  return { ...marks, zoom, wide, search, flame, memory };
}

async function measureTheirs(page, url) {
  await page.goto(`${url}/index.html#profileURL=${url}/trace.speedscope.json`);
  await page.waitForFunction(() => /Left Heavy/.test(document.body.textContent) && document.querySelector("canvas"), undefined, { timeout: 300000, polling: "raf" });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const frames = await page.evaluate(() => performance.now());
  const shell = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  const wheel = (delta) =>
    `document.elementFromPoint(500, 400).dispatchEvent(new WheelEvent("wheel", { deltaY: ${delta}, ctrlKey: true, clientX: 500, clientY: 400, bubbles: true, cancelable: true }))`;
  const wide = await zooms(page, wheel(-1));
  const zoom = await zooms(page, wheel(-60));
  await page.keyboard.press("Control+f");
  await page.waitForSelector("input");
  const search = await searches(page, () => page.fill("input", "method77"), "/[\\d?]+\\/\\d+/.test(document.body.innerText)");
  const flame = await untilPainted(page, '[...document.querySelectorAll("div")].filter((d) => /Left Heavy$/.test(d.textContent) && d.children.length < 3).pop().click()');
  const memory = await page.evaluate(() => performance.memory.usedJSHeapSize / 1e6);
  return { shell, frames, all: frames, zoom, wide, search, flame, memory };
}

async function measureOnce(chromium, measure, url) {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--enable-precise-memory-info", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, bypassCSP: true }); // CSP: new Function()
  const measured = await measure(page, url);
  await browser.close();
  return measured;
}

const LINES = [
  ["shell", "first paint of anything"],
  ["frames", "first paint of frames"],
  ["all", "all frames there"],
  ["wide", "a zoom step, all in sight"],
  ["zoom", "a zoom step, closer and closer"],
  ["search", "a search, from typing to shown"],
  ["flame", "to the left heavy view"],
  ["memory", "JavaScript heap"],
];

const options = process.argv.slice(2).filter((word) => word.startsWith("--"));
const [trace, ...more] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const isJson = options.includes("--json");
const nRounds = Number((options.find((word) => word.startsWith("--rounds=")) || "--rounds=5").slice("--rounds=".length));
if (!trace || more.length > 0 || !(nRounds > 0) || options.some((word) => word !== "--json" && !word.startsWith("--rounds="))) {
  console.error("usage: bench_view.mjs [--json] [--rounds=N] TRACE");
  process.exit(2);
}
const speedscope = fetchPrograms();
const { chromium } = createRequire(path.join(root, ".deps/browser/package.json"))("playwright-core");
const work = mkdtempSync(path.join(tmpdir(), "snoopi-bench-"));
execFileSync(snoopi, ["export", "--to=html", "-o", path.join(work, "page.html"), trace]);
execFileSync(snoopi, ["export", "--to=speedscope", "-o", path.join(work, "trace.speedscope.json"), trace]);
const { server, url } = await serve([work, speedscope]);
const size = (name) => statSync(path.join(work, name)).size;
const sizes = { page_bytes: size("page.html"), speedscope_bytes: size("trace.speedscope.json") };
const runs = [];
for (let i = 0; i < nRounds; i++) {
  const ours = await measureOnce(chromium, measureOurs, url);
  runs.push({ ours, theirs: await measureOnce(chromium, measureTheirs, url) });
}
server.close();
rmSync(work, { recursive: true });

const rows = LINES.map(([name, text]) => ({
  name: text,
  unit: name === "memory" ? "MB" : "ms",
  ours: median(runs.map(({ ours }) => ours[name])),
  theirs: median(runs.map(({ theirs }) => theirs[name])),
  ratio: median(runs.map(({ ours, theirs }) => ours[name] / Math.max(theirs[name], 0.1))),
}));
if (isJson) {
  console.log(JSON.stringify({ rounds: nRounds, speedscope: SPEEDSCOPE, ...sizes, rows }));
} else {
  console.log(`page ${(sizes.page_bytes / 1e6).toFixed(1)} MB, speedscope's file ${(sizes.speedscope_bytes / 1e6).toFixed(1)} MB; medians of ${nRounds}`);
  console.log(`${"".padEnd(34)}${"snoopi".padStart(12)}${"speedscope".padStart(12)}${"ratio".padStart(8)}`);
  for (const { name, unit, ours, theirs, ratio } of rows) {
    console.log(`${name.padEnd(34)}${`${ours.toFixed(0)} ${unit}`.padStart(12)}${`${theirs.toFixed(0)} ${unit}`.padStart(12)}${ratio.toFixed(2).padStart(8)}`);
  }
}
