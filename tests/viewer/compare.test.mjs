// SPDX-License-Identifier: MIT
// Pages that compare two recordings, and widths by time and by frames, against what snoopi says of the same traces.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { after, before, test } from "node:test";
import { closeBrowser, closePage, fragmentOf, openBrowser, openPage, pairsOf, PAGES_DIR, selectedName, snoopiJson } from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

/** snoopi diff of two traces in PAGES_DIR. */
function diffRows(old, now, by) {
  const program = path.join(process.env.SNOOPI_BIN_DIR, "snoopi");
  const traces = [old, now].map((name) => path.join(PAGES_DIR, `${name}.snoopi`));
  return JSON.parse(execFileSync(program, ["diff", "--format=json", "--limit=0", `--by=${by}`, ...traces], { encoding: "utf8", maxBuffer: 1 << 30 }));
}

async function changedRows(page) {
  while (await page.$("#table-scroller .more button")) {
    await page.click("#table-scroller .more button");
  }
  return page.$$eval("#table-scroller tbody tr", (rows) =>
    rows.map((row) => [row.querySelector(".name").textContent, ...[...row.querySelectorAll("td.number")].map((cell) => Number(cell.dataset.value))]),
  );
}

/** [red, green, blue] of a place on the flame graph: row 0 is "All inference", x is a share of its width. */
function colorAt(page, row, x) {
  return page.evaluate(
    ([line, share]) => {
      const canvas = document.getElementById("flame");
      const ratio = devicePixelRatio;
      const y = 24 + 19 * line + 15; // below the axis, beside the label
      return [...canvas.getContext("2d").getImageData(Math.round(share * canvas.width), Math.round(y * ratio), 1, 1).data].slice(0, 3);
    },
    [row, x],
  );
}

test("compared: self times, counts and their changes are those of diff, by each key; also of what is gone", async () => {
  const page = await openPage("compared", { hash: "#view=table" });
  for (const by of ["instance", "method", "function", "module", "package", "file"]) {
    const { rows } = diffRows("dispatch", "names", by);
    await page.selectOption("#by", by);
    const line = (...values) => values.join(" ");
    const expected = rows.map((row) => line(row.name || "(none)", row.new_self_ns, row.new_total_ns, row.new_count, row.delta_self_ns, row.delta_count));
    assert.deepEqual((await changedRows(page)).map((row) => line(...row)).sort(), expected.sort(), by);
  }
  await page.click('[data-column="dself"] button');
  const changes = (await changedRows(page)).map((row) => row[4]);
  assert.deepEqual(changes, [...changes].sort((a, b) => a - b));
  await closePage(page);
});

// Old: f(g(h)h) g(h h h) w; new: f(g(h h h)h) g(h). Each frame's self time is the same.
test("compared: in the flame graph red grew, blue shrank, and the panel says by how much", async () => {
  const page = await openPage("changed");
  assert.ok(await page.isVisible("#panel-flame"));
  assert.match(await page.textContent("#facts"), /were 9/);
  const rows = snoopiJson("tree", "changed", "--limit=0").rows;
  const share = (name) => rows.find((row) => row.depth === 0 && row.name.startsWith(name)).total_ns / rows.filter((row) => row.depth === 0).reduce((sum, row) => sum + row.total_ns, 0);
  const f = await colorAt(page, 1, share("f") * 0.9);
  const g = await colorAt(page, 1, share("f") + share("g") * 0.9);
  assert.ok(f[0] > f[2] + 40, `f is ${f}`);
  assert.ok(g[2] > g[0] + 40, `g is ${g}`);
  await page.focus("#flame");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.match(await selectedName(page), /^f\(/);
  const pairs = await pairsOf(page, "#details .pairs:first-of-type");
  assert.match(pairs["Total was"], /^70 ns \+60 ns \(\+86 %\)$/);
  assert.equal(pairs["Count was"], "1, as now");
  assert.match(pairs["All below were"], /^4 \+2 \(\+50 %\)$/);
  await closePage(page);
});

test("compared: widths of before bring back what is gone", async () => {
  const page = await openPage("changed", { hash: "#q=w" });
  const names = async () => {
    const seen = [];
    await page.focus("#flame");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    for (let i = 0; i < 4; i++) {
      seen.push(await selectedName(page));
      await page.keyboard.press("ArrowRight");
    }
    await page.evaluate(() => (location.hash = "#sel="));
    await page.waitForTimeout(50);
    return [...new Set(seen)];
  };
  assert.equal((await names()).length, 2);
  await page.selectOption("#weight", "time-before");
  const before = await names();
  assert.equal(before.length, 3);
  assert.match(before[2], /^a;b "c"\(/);
  await closePage(page);
});

test("compared: the timeline and callers have the colours of their keys, and all views open", async () => {
  const page = await openPage("compared");
  for (const view of ["timeline", "flame", "table", "sandwich", "triggers", "advice"]) {
    await page.click(`#tab-${view}`);
    assert.ok(await page.isVisible(`#panel-${view}`));
  }
  await closePage(page);
});

test("widths by frames: the greatest is the one with most below it, and the axis counts", async () => {
  const page = await openPage("counted", { hash: "#view=flame" });
  assert.equal(await page.inputValue("#weight"), "count");
  const { rows } = snoopiJson("tree", "names", "--limit=0");
  const below = new Map();
  const path = [];
  for (const row of rows) {
    path.length = row.depth;
    path.push(row);
    path.forEach((above) => below.set(above, (below.get(above) || 0) + row.count));
  }
  const [greatest] = rows.filter((row) => row.depth === 0).sort((a, b) => below.get(b) - below.get(a));
  await page.focus("#flame");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await selectedName(page), greatest.name);
  assert.equal((await pairsOf(page, "#details .pairs:first-of-type"))["All below"], below.get(greatest).toLocaleString("en"));
  await page.keyboard.press("Enter");
  const [from, to] = (await fragmentOf(page)).get("zoom").split("-").map(Number);
  assert.ok(Math.abs(to - from - below.get(greatest)) <= 0.05 * below.get(greatest) + 1);
  await page.selectOption("#weight", "time");
  assert.equal((await fragmentOf(page)).get("zoom"), null);
  assert.equal((await fragmentOf(page)).get("weight"), "time");
  await closePage(page);
});
