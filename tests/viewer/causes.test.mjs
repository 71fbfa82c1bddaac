// SPDX-License-Identifier: MIT
// Triggers and advice against what snoopi says of the same trace.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, closePage, fragmentOf, framesOf, openBrowser, openPage, pairsOf, PAGES_DIR, selectedName, snoopiJson } from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

/** The rows of the table, all of them: {callee, caller, place, word, total, count}. */
async function triggerRows(page) {
  while (await page.$("#triggers-scroller .more button")) {
    await page.click("#triggers-scroller .more button");
  }
  return page.$$eval("#triggers-scroller tbody tr", (rows) =>
    rows.map((row) => {
      const cells = [...row.querySelectorAll("td")];
      return {
        callee: cells[0].querySelector(".name").textContent,
        caller: cells[1].querySelector(".caller").textContent,
        place: cells[1].querySelector(".place")?.textContent || "",
        word: cells[2].textContent,
        total: Number(cells[3].dataset.value),
        count: Number(cells[4].dataset.value),
      };
    }),
  );
}

/** As the page shows a place. */
function placeText({ file, line }) {
  const shown = (file || "").replace(/^.*\/share\/julia\//, "").replace(/^stdlib\/v[^/]*\//, "").replace(`${PAGES_DIR}/`, ""); // where they were recorded
  return shown && line ? `${shown}:${line}` : shown;
}

const callerName = (row) => row.caller || { toplevel: "(top level)", task: "(start of a task)", load: "(package loading)" }[row.class] || null;

test("triggers: the rows are those of snoopi triggers, and add up to inference", async () => {
  const { rows, totals } = snoopiJson("triggers", "names", "--limit=0");
  const page = await openPage("names", { hash: "#view=triggers" });
  const shown = await triggerRows(page);
  const line = (row) => `${row.callee} ${row.total} ${row.count} ${row.word}`;
  const expected = rows.map((row) => line({ callee: row.callee, total: row.total_ns, count: row.count, word: row.class || "–" }));
  assert.deepEqual(shown.map(line), expected);
  rows.forEach((row, i) => {
    assert.equal(shown[i].caller, callerName(row) || shown[i].caller);
    assert.ok(shown[i].place.startsWith(placeText(row)), `${shown[i].place}, not ${placeText(row)}`);
  });
  assert.equal(shown.reduce((sum, row) => sum + row.total, 0), totals.inference_ns);
  assert.equal(shown.reduce((sum, row) => sum + row.count, 0), totals.roots);
  await closePage(page);
});

test("triggers: the panel has caller, inlining chain and, when asked for, the stack", async () => {
  const { rows } = snoopiJson("triggers", "dispatch", "--limit=0", "--stack");
  const at = rows.findIndex((row) => row.chain.length > 1);
  assert.ok(at >= 0);
  const page = await openPage("dispatch", { hash: `#view=triggers&sel=trigger:${at}` });
  assert.equal(await selectedName(page), rows[at].callee);
  assert.equal(await page.textContent("#details .caller"), rows[at].caller);
  assert.equal((await pairsOf(page, "#details"))["Entered by"], rows[at].class);
  const names = (selector) => page.$$eval(`${selector} .name`, (all) => all.map((one) => one.textContent));
  const chain = rows[at].chain.map((place) => place.name);
  assert.deepEqual(await names("#details .places"), chain);
  assert.equal(await page.$("#details .stack li"), null);
  await page.click("#details .stack summary");
  await page.waitForSelector("#details .stack li");
  assert.deepEqual(await names("#details .stack"), rows[at].stack.map((place) => place.name || "?"));
  await closePage(page);
});

test("triggers: from a row to its frame in the other views", async () => {
  const { rows } = snoopiJson("triggers", "names", "--limit=0");
  const at = rows.findIndex((row) => row.count === 1);
  const root = framesOf("names").find((frame) => frame.depth === 0 && frame.name === rows[at].callee && frame.total_ns === rows[at].total_ns);
  const page = await openPage("names", { hash: "#view=triggers" });
  await page.click(`tr[data-trigger="${at}"] .name`);
  await page.click("#details button:has-text('On the timeline')");
  assert.ok(await page.isVisible("#panel-timeline"));
  const crumbs = await page.$$eval("#crumbs button", (all) => all.map((one) => one.textContent));
  assert.deepEqual(crumbs, ["All", root.name]);
  const [from, to] = (await fragmentOf(page)).get("at").split("-").map(Number);
  assert.ok(Math.abs(to - from - 1.04 * (root.end_ns - root.begin_ns)) < Math.max(200, 0.01 * (to - from)));
  await page.keyboard.press("5");
  await page.click("#details button:has-text('In the flame graph')");
  assert.ok(await page.isVisible("#panel-flame"));
  assert.equal((await page.$$eval("#crumbs button", (all) => all.map((one) => one.textContent))).pop(), root.name);
  await page.keyboard.press("4");
  assert.equal(await selectedName(page), root.name);
  await closePage(page);
});

test("triggers: sorting, classes and search leave what they should", async () => {
  const { rows } = snoopiJson("triggers", "names", "--limit=0");
  const page = await openPage("names", { hash: "#view=triggers" });
  await page.click('#triggers-scroller [data-column="callee"] button');
  const names = (await triggerRows(page)).map((row) => row.callee);
  assert.deepEqual(names, [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  assert.equal(await page.getAttribute('#triggers-scroller [data-column="callee"]', "aria-sort"), "ascending");
  await page.click("#triggers-scroller .chip:has-text('dispatch')");
  assert.equal((await triggerRows(page)).length, rows.filter((row) => row.class === "dispatch").length);
  assert.equal((await fragmentOf(page)).get("class"), "dispatch");
  await page.click("#triggers-scroller .chip:has-text('all')");
  await page.fill("#search", "int64");
  await page.waitForFunction(() => document.getElementById("found").textContent !== "");
  const expected = rows.filter((row) => `${row.callee}\n${row.caller || ""}`.toLowerCase().includes("int64"));
  assert.equal((await triggerRows(page)).length, expected.length);
  await closePage(page);
});

test("without stacks it is said that callers are not known", async () => {
  const page = await openPage("nostacks", { hash: "#view=triggers&sel=trigger:0" });
  assert.match(await page.textContent("#triggers-scroller .lacks"), /^No stacks were recorded/);
  assert.match(await page.textContent("#notes-list"), /no stacks were recorded/);
  assert.match(await page.textContent("#details"), /No stack was recorded of it/);
  await closePage(page);
});

test("advice: each finding says what, where, what it costs and what to do, as snoopi advise does", async () => {
  const { rows } = snoopiJson("advise", "dispatch", "--limit=0", "--tmin=0");
  assert.ok(rows.length > 0);
  const page = await openPage("dispatch", { hash: "#view=advice" });
  while (await page.$("#advice-scroller .more button")) {
    await page.click("#advice-scroller .more button");
  }
  const shown = await page.$$eval(".finding", (all) =>
    all.map((one) => ({
      what: one.querySelector("h2").textContent,
      change: one.querySelector(".change").lastChild.textContent,
      where: one.querySelector(".where").lastChild.textContent,
      evidence: [...one.querySelectorAll(".evidence li")].map((line) => line.textContent),
    })),
  );
  const expected = rows.map((row) => ({
    what: row.what,
    change: row.change,
    where: placeText(row) || "at a place that is not known",
    evidence: row.evidence,
  }));
  assert.deepEqual(shown, expected);
  await page.fill("#search", rows[0].name);
  await page.waitForFunction(() => document.getElementById("found").textContent !== "");
  const left = await page.$$eval(".finding h2", (all) => all.map((one) => one.textContent));
  assert.ok(left.length > 0 && left.length <= rows.length && left.includes(rows[0].what));
  await closePage(page);
});

test("advice: a button leads to what it is about", async () => {
  const page = await openPage("dispatch", { hash: "#view=advice" });
  await page.click(".finding .actions button:has-text('Callers and callees')");
  assert.ok(await page.isVisible("#panel-sandwich"));
  assert.notEqual(await selectedName(page), "");
  await closePage(page);
});

test("a million frames: the costliest triggers, and how many there are", async () => {
  const { rows, found } = snoopiJson("triggers", "million", "--limit=5000");
  const page = await openPage("million", { hash: "#view=triggers" });
  const first = await page.$eval("#triggers-scroller tbody tr", (row) => [row.querySelector(".name").textContent, Number(row.querySelector(".number").dataset.value)]);
  assert.deepEqual(first, [rows[0].callee, rows[0].total_ns]);
  const more = `200 of ${rows.length.toLocaleString("en")} pairs${found > rows.length ? `; the costliest of ${found.toLocaleString("en")}` : ""}`;
  assert.ok((await page.textContent("#triggers-scroller .more")).startsWith(more));
  await page.click("#tab-advice");
  assert.ok(await page.isVisible("#advice-scroller .intro"));
  await closePage(page);
});
