// SPDX-License-Identifier: MIT
// Each view against what snoopi says of the same trace.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, closePage, fragmentOf, framesOf, openBrowser, openPage, pairsOf, selectedName, snoopiJson, tableRows } from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

const crumbNames = (page) => page.$$eval("#crumbs button", (all) => all.map((one) => one.textContent));

// ---- timeline

test("timeline: arrow keys go from the first root down and along, and the panel says what snoopi exports", async () => {
  const frames = framesOf("names");
  const page = await openPage("names");
  await page.focus("#timeline");
  await page.keyboard.press("ArrowDown");
  assert.equal(await selectedName(page), frames[0].name);
  const parent = frames.find((frame) => frames.some((child) => child.parent === frame.id));
  const children = frames.filter((frame) => frame.parent === parent.id);
  await page.evaluate((id) => (location.hash = `#sel=frame:${id}`), parent.id);
  await page.waitForFunction((name) => document.querySelector("#details h2")?.textContent === name, parent.name);
  await page.keyboard.press("ArrowDown");
  assert.equal(await selectedName(page), children[0].name);
  assert.deepEqual((await crumbNames(page)).slice(-2), [parent.name, children[0].name]);
  assert.match(await page.textContent("#announcer"), /, self .*, total /);
  await page.keyboard.press("ArrowUp");
  assert.equal(await selectedName(page), parent.name);
  await closePage(page);
});

test("timeline: wheel, keys and drag move the window; reset shows all", async () => {
  const page = await openPage("names");
  const box = await (await page.$("#timeline")).boundingBox();
  const range = async () => ((await fragmentOf(page)).get("at") || "").split("-").map(Number);
  await page.mouse.move(box.x + box.width / 2, box.y + 100);
  await page.mouse.wheel(0, -600);
  const zoomed = await range();
  assert.equal(zoomed.length, 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 200, box.y + 100, { steps: 4 });
  await page.mouse.up();
  const dragged = await range();
  assert.ok(dragged[0] > zoomed[0]);
  assert.ok(Math.abs(dragged[1] - dragged[0] - (zoomed[1] - zoomed[0])) <= 2, "a drag does not zoom");
  await page.focus("#timeline");
  await page.keyboard.press("+");
  const closer = await range();
  assert.ok(closer[1] - closer[0] < dragged[1] - dragged[0]);
  await page.keyboard.press("a");
  assert.ok((await range())[0] < closer[0]);
  await page.click("#reset");
  assert.equal((await fragmentOf(page)).get("at"), null);
  await closePage(page);
});

test("timeline: a click selects, a double click zooms to it, the pointer shows a tooltip", async () => {
  const page = await openPage("script");
  const box = await (await page.$("#timeline")).boundingBox();
  const frames = framesOf("script");
  await page.focus("#timeline");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const [from, to] = (await fragmentOf(page)).get("at").split("-").map(Number);
  assert.ok(to - from < 200, "the first root takes some 80 ns");
  await page.mouse.move(box.x + box.width / 2, box.y + 24 + 26 + 8);
  assert.match(await page.textContent("#tooltip .title"), new RegExp(`^${frames[0].name.replace(/[()]/g, "\\$&")}$`));
  await page.mouse.click(box.x + box.width / 2, box.y + 24 + 26 + 8);
  assert.equal(await selectedName(page), frames[0].name);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 20);
  assert.equal(await selectedName(page), "");
  await closePage(page);
});

test("timeline: a lane for each thread of each process", async () => {
  const page = await openPage("script");
  const threads = new Set(framesOf("script").map((frame) => `${frame.process} ${frame.thread}`));
  const painted = await page.evaluate(() => Number(document.getElementById("timeline").dataset.painted));
  assert.ok(painted > 0);
  assert.equal(threads.size, 3);
  const seen = new Set();
  for (const frame of framesOf("script")) {
    await page.evaluate((id) => (location.hash = `#sel=frame:${id}`), frame.id);
    await page.waitForFunction(() => document.querySelector("#details h2"));
    await page.waitForTimeout(20);
    seen.add((await pairsOf(page, "#details")).Process);
  }
  assert.deepEqual([...seen].sort(), ["0, thread 0", "1, thread 0", "1, thread 1"]);
  await closePage(page);
});

// ---- flame graph

test("flame graph: its top is all inference, and its children are those of tree, the greatest first", async () => {
  const { rows, totals } = snoopiJson("tree", "names", "--depth=1", "--limit=0");
  const page = await openPage("names", { hash: "#view=flame" });
  await page.focus("#flame");
  await page.keyboard.press("ArrowDown");
  assert.equal(await selectedName(page), "All inference");
  assert.equal((await pairsOf(page, "#details")).Count, totals.frames.toLocaleString("en"));
  const greatest = [...rows].sort((a, b) => b.total_ns - a.total_ns);
  await page.keyboard.press("ArrowDown");
  assert.equal(await selectedName(page), greatest[0].name);
  await page.keyboard.press("ArrowRight");
  assert.equal(await selectedName(page), greatest[1].name);
  await page.keyboard.press("Enter");
  const [from, to] = (await fragmentOf(page)).get("zoom").split("-").map(Number);
  assert.ok(Math.abs(to - from - greatest[1].total_ns * 1.04) <= 200);
  await page.click("#crumbs .all");
  assert.equal((await fragmentOf(page)).get("zoom"), null);
  await closePage(page);
});

test("flame graph: frames of the same path are one, by any key", async () => {
  for (const by of ["method", "package"]) {
    const { rows } = snoopiJson("tree", "names", `--by=${by}`, "--depth=1", "--limit=0");
    const page = await openPage("names", { hash: `#view=flame&by=${by}` });
    await page.focus("#flame");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const first = [...rows].sort((a, b) => b.total_ns - a.total_ns)[0];
    assert.equal(await selectedName(page), first.name);
    assert.equal((await pairsOf(page, "#details .pairs:first-of-type")).Count, first.count.toLocaleString("en"));
    await closePage(page);
  }
});

test("what is selected in the timeline is selected in the flame graph, and back", async () => {
  const frames = framesOf("names");
  const frame = frames.find((one) => one.depth === 2);
  const page = await openPage("names", { hash: `#sel=frame:${frame.id}` });
  const timelinePath = await crumbNames(page);
  await page.click("#tab-flame");
  assert.deepEqual(await crumbNames(page), timelinePath);
  await page.focus("#flame");
  await page.keyboard.press("ArrowUp");
  await page.click("#tab-timeline");
  assert.deepEqual(await crumbNames(page), timelinePath.slice(0, -1));
  await closePage(page);
});

// ---- table

test("table: by each key the rows are those of list", async () => {
  const page = await openPage("names", { hash: "#view=table" });
  for (const by of ["instance", "method", "function", "module", "package", "file"]) {
    const { rows } = snoopiJson("list", "names", `--by=${by}`, "--limit=0");
    await page.selectOption("#by", by);
    const line = (row) => `${row.name} ${row.self} ${row.total} ${row.count}`;
    const expected = rows.map((row) => line({ name: row.name || "(none)", self: row.self_ns, total: row.total_ns, count: row.count }));
    assert.deepEqual((await tableRows(page)).map(line).sort(), expected.sort(), by);
  }
  await closePage(page);
});

test("table: sorts by each column, both ways, and says so", async () => {
  const page = await openPage("names", { hash: "#view=table&by=method" });
  const isSorted = (values) => values.every((value, i) => i === 0 || values[i - 1] >= value);
  assert.ok(isSorted((await tableRows(page)).map((row) => row.self)));
  await page.click('[data-column="count"] button');
  assert.ok(isSorted((await tableRows(page)).map((row) => row.count)));
  assert.equal(await page.getAttribute('[data-column="count"]', "aria-sort"), "descending");
  await page.click('[data-column="count"] button');
  assert.ok(isSorted((await tableRows(page)).map((row) => row.count).reverse()));
  assert.equal(await page.getAttribute('[data-column="count"]', "aria-sort"), "ascending");
  await page.click('[data-column="name"] button');
  const names = (await tableRows(page)).map((row) => row.name);
  assert.deepEqual(names, [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  await closePage(page);
});

test("table: search leaves the rows that match", async () => {
  const page = await openPage("names", { hash: "#view=table&q=flag:constprop" });
  const expected = new Set(framesOf("names").filter((frame) => frame.flags.includes("constprop")).map((frame) => frame.name));
  assert.deepEqual([...new Set((await tableRows(page)).map((row) => row.name))].sort(), [...expected].sort());
  await closePage(page);
});

// ---- callers and callees

/** Direct callers and callees of a name, as the view has them: over the outermost frames of it. */
function neighbours(frames, name) {
  const byId = new Map(frames.map((frame) => [frame.id, frame]));
  const callers = new Map();
  const callees = new Map();
  const add = (map, key, ns) => map.set(key, (map.get(key) || 0) + ns);
  const isInside = (frame) => {
    for (let above = byId.get(frame.parent); above; above = byId.get(above.parent)) {
      if (above.name === name) {
        return true;
      }
    }
    return false;
  };
  const outermost = new Set(frames.filter((frame) => frame.name === name && !isInside(frame)).map((frame) => frame.id));
  for (const frame of frames) {
    if (outermost.has(frame.id) && frame.parent !== null) {
      add(callers, byId.get(frame.parent).name, frame.total_ns);
    }
    if (outermost.has(frame.parent)) {
      add(callees, frame.name, frame.total_ns);
    }
  }
  const names = (map) => [...map].sort((a, b) => b[1] - a[1]).map(([key]) => key);
  return { callers: names(callers), callees: names(callees) };
}

test("callers and callees: of the selected frame, as they stand in the trace", async () => {
  const frames = framesOf("names");
  const middle = frames.find((frame) => frame.parent !== null && frames.some((child) => child.parent === frame.id));
  const expected = neighbours(frames, middle.name);
  const page = await openPage("names", { hash: `#view=sandwich&sel=frame:${middle.id}` });
  const lists = await page.$$eval("#sandwich-lists h2", (heads) =>
    heads.map((head) => [...(head.nextElementSibling.querySelectorAll?.(".label") || [])].map((label) => label.textContent)),
  );
  assert.deepEqual(lists, [expected.callers.slice(0, 40), expected.callees.slice(0, 40)]);
  assert.equal(await selectedName(page), middle.name);
  await page.click("#sandwich-lists ol button");
  assert.equal(await selectedName(page), expected.callers[0]);
  await closePage(page);
});

test("callers and callees: without a selection, of what has the greatest self time", async () => {
  const { rows } = snoopiJson("list", "names", "--by=function", "--sort=self", "--limit=1");
  const page = await openPage("names", { hash: "#view=sandwich&by=function" });
  assert.equal(await selectedName(page), rows[0].name);
  await closePage(page);
});

// ---- search

test("search tells frames and the share of inference that match", async () => {
  const frames = framesOf("names");
  const byId = new Map(frames.map((frame) => [frame.id, frame]));
  const isMatch = (frame) => frame.name.toLowerCase().includes("int64");
  const isInside = (frame) => {
    for (let above = byId.get(frame.parent); above; above = byId.get(above.parent)) {
      if (isMatch(above)) {
        return true;
      }
    }
    return false;
  };
  const found = frames.filter(isMatch);
  const inference = frames.reduce((sum, frame) => sum + frame.self_ns, 0);
  const total = found.filter((frame) => !isInside(frame)).reduce((sum, frame) => sum + frame.total_ns, 0);
  const percent = (100 * total) / inference;
  const page = await openPage("names");
  await page.fill("#search", "INT64");
  await page.waitForFunction(() => document.getElementById("found").textContent !== "");
  const text = (await page.textContent("#found")).replace(/\u00a0/g, " ");
  assert.ok(text.startsWith(`${found.length.toLocaleString("en")} frames · total ${percent.toFixed(percent < 9.95 ? 1 : 0)} %`), text);
  await page.fill("#search", "/(/");
  await page.waitForFunction(() => /Invalid|Unterminated/.test(document.getElementById("found").textContent));
  await closePage(page);
});

test("n and N go from match to match", async () => {
  const frames = framesOf("names");
  const found = frames.filter((frame) => frame.name.toLowerCase().includes("convert") || frame.name.toLowerCase().includes("int64"));
  assert.ok(found.length > 2);
  const page = await openPage("names", { hash: "#q=/convert|int64/" });
  await page.focus("#timeline");
  await page.keyboard.press("n");
  assert.equal(await selectedName(page), found[0].name);
  await page.keyboard.press("n");
  assert.equal(await selectedName(page), found[1].name);
  await page.keyboard.press("N");
  assert.equal(await selectedName(page), found[0].name);
  await closePage(page);
});
