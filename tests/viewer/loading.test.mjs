// SPDX-License-Identifier: MIT
// A page loads what was recorded, asks for nothing else, says what is missing, and takes names for text.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import { closeBrowser, closePage, openBrowser, openPage, pairsOf, PAGES_DIR, snoopiJson, tableRows } from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

/** Serves one page, and notes what is asked for. */
async function serve(name) {
  const asked = [];
  const server = http.createServer((request, response) => {
    asked.push(request.url);
    response.setHeader("Content-Type", "text/html");
    response.end(readFileSync(path.join(PAGES_DIR, `${name}.html`)));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { asked, url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

test("through all views a page asks its server for nothing but itself", async () => {
  const server = await serve("names");
  const page = await openPage("", { url: server.url });
  for (const view of ["flame", "table", "sandwich", "triggers", "advice", "timeline"]) {
    await page.click(`#tab-${view}`);
    await page.waitForTimeout(50);
  }
  await page.click("#help-button");
  await closePage(page);
  server.close();
  assert.deepEqual(server.asked, ["/"]);
});

test("the browser itself forbids each request", async () => {
  const page = await openPage("names");
  const isRefused = await page.evaluate(() => fetch("https://example.org/").then(() => false, () => true));
  assert.ok(isRefused);
  assert.ok(page.problems.every((problem) => problem.includes("Content Security Policy") || problem.includes("Fetch API")), page.problems.join("\n"));
  await page.close();
});

test("what is in the masthead is what snoopi says", async () => {
  const { totals } = snoopiJson("info", "names");
  const page = await openPage("names");
  const facts = await pairsOf(page, "#facts");
  assert.equal(facts.frames, totals.frames.toLocaleString("en"));
  assert.equal(facts.instances, totals.instances.toLocaleString("en"));
  assert.match(facts["in type inference"], new RegExp(`^[0-9.]+ m?s [0-9.]+ % of `));
  assert.match(await page.title(), /names\.jl – snoopi$/);
  await closePage(page);
});

test("a whole recording lacks nothing, and none is said to", async () => {
  const page = await openPage("whole");
  assert.equal(await page.isVisible("#notes"), false);
  await closePage(page);
});

test("a process that was cut is told, and where it was", async () => {
  const page = await openPage("script");
  assert.ok(await page.isVisible("#notes"));
  assert.match(await page.textContent("#notes-list"), /process 1 .*cut: it was killed, or was still running; what had ended is here/);
  await closePage(page);
});

test("a damaged file is told", async () => {
  const page = await openPage("damaged");
  assert.match(await page.textContent("#notes-list"), /the file is damaged: /);
  await closePage(page);
});

test("a page whose data is broken says so, and shows no profile", async () => {
  const page = await openPage("broken", { wait: false });
  await page.waitForSelector("#loading.failed");
  assert.match(await page.textContent("#loading-text"), /This page is damaged: /);
  await page.close();
});

test("names that look like markup are text", async () => {
  const page = await openPage("names", { hash: "#view=table" });
  const names = (await tableRows(page)).map((row) => row.name);
  for (const name of ["</script><img src=x onerror=alert(1)>", "<b onmouseover=alert(2)>&amp;&lt;", "<!--", "o;x y<z>", "⊕"]) {
    assert.ok(names.some((shown) => shown.includes(name)), name);
  }
  for (const view of ["flame", "sandwich", "triggers", "advice", "timeline"]) {
    await page.click(`#tab-${view}`);
  }
  assert.equal(await page.$$eval("img, b", (found) => found.length), 0);
  await closePage(page);
});

test("a million frames: all are there, and the sums are those of list", async () => {
  const { totals, rows } = snoopiJson("list", "million", "--by=module", "--limit=0");
  const page = await openPage("million", { hash: "#view=table&by=module" });
  assert.equal((await pairsOf(page, "#facts")).frames, "1,000,000");
  const shown = await tableRows(page);
  assert.equal(shown.reduce((sum, row) => sum + row.self, 0), totals.inference_ns);
  assert.equal(shown.reduce((sum, row) => sum + row.count, 0), 1000000);
  const expected = rows.map((row) => ({ name: row.name, self: row.self_ns, total: row.total_ns, count: row.count }));
  assert.deepEqual(sorted(shown), sorted(expected));
  await page.click("#tab-flame");
  await page.focus("#flame");
  await page.keyboard.press("ArrowDown");
  assert.equal((await pairsOf(page, "#details")).Count, "1,000,000");
  await page.fill("#search", "method1");
  await page.waitForFunction(() => /frames · total/.test(document.getElementById("found").textContent));
  await closePage(page);
});

function sorted(rows) {
  return [...rows].sort((a, b) => (a.name < b.name ? -1 : 1));
}
