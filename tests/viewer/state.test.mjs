// SPDX-License-Identifier: MIT
// The address holds the view; keys reach everything.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeBrowser, closePage, fragmentOf, openBrowser, openPage, selectedName } from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

const isShown = (page, view) => page.isVisible(`#panel-${view}`);

test("a fragment brings back the view, the selection, the window, search and choices", async () => {
  const first = await openPage("names");
  await first.click("#tab-flame");
  await first.selectOption("#by", "method");
  await first.selectOption("#color", "flag");
  await first.fill("#search", "convert");
  await first.focus("#flame");
  await first.keyboard.press("ArrowDown");
  await first.keyboard.press("ArrowDown");
  await first.keyboard.press("Enter");
  await first.waitForTimeout(400);
  const name = await selectedName(first);
  const found = await first.textContent("#found");
  const hash = `#${await fragmentOf(first)}`;
  await closePage(first);

  const second = await openPage("names", { hash });
  assert.ok(await isShown(second, "flame"));
  assert.equal(await selectedName(second), name);
  assert.equal(await second.inputValue("#by"), "method");
  assert.equal(await second.inputValue("#color"), "flag");
  assert.equal(await second.inputValue("#search"), "convert");
  assert.equal(await second.textContent("#found"), found);
  assert.equal(`#${await fragmentOf(second)}`, hash);
  await closePage(second);
});

test("a change of the address changes the view; nonsense in it does no harm", async () => {
  const page = await openPage("names", { hash: "#view=nonsense&sel=frame:99999999&by=xyz&color=&at=7-3&sort=?" });
  assert.ok(await isShown(page, "timeline"));
  await page.evaluate(() => (location.hash = "#view=table&by=module"));
  await page.waitForSelector("#panel-table:not([hidden])");
  assert.equal(await page.inputValue("#by"), "module");
  await closePage(page);
});

test("grouping by something else keeps the selection", async () => {
  const page = await openPage("names", { hash: "#view=table&by=method&sel=key:0" });
  const name = await selectedName(page);
  await page.selectOption("#by", "instance");
  assert.match(await page.textContent("#details .kind"), /of this instance/);
  assert.ok((await selectedName(page)).includes(name.slice(0, 3)));
  await closePage(page);
});

test("keys: views, search, escape, help", async () => {
  const page = await openPage("names");
  for (const [key, view] of [["2", "flame"], ["3", "table"], ["4", "sandwich"], ["5", "triggers"], ["6", "advice"], ["1", "timeline"]]) {
    await page.keyboard.press(key);
    assert.ok(await isShown(page, view), view);
  }
  await page.keyboard.press("/");
  await page.keyboard.type("sum");
  await page.waitForFunction(() => document.getElementById("found").textContent !== "");
  await page.keyboard.press("Escape");
  assert.equal(await page.inputValue("#search"), "");
  assert.equal(await page.textContent("#found"), "");
  await page.focus("#timeline");
  await page.keyboard.press("?");
  assert.ok(await page.isVisible("#help"));
  await page.keyboard.press("Escape");
  assert.equal(await page.isVisible("#help"), false);
  await closePage(page);
});

test("keys: tabs by arrow, and Tab reaches all there is", async () => {
  const page = await openPage("names");
  await page.focus("#tab-timeline");
  await page.keyboard.press("ArrowRight");
  assert.ok(await isShown(page, "flame"));
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-flame");
  const reached = new Set();
  for (let i = 0; i < 20; i++) {
    reached.add(await page.evaluate(() => document.activeElement.id));
    await page.keyboard.press("Tab");
  }
  for (const id of ["search", "by", "color", "reset", "flame"]) {
    assert.ok(reached.has(id), id);
  }
  await closePage(page);
});

test("copies the name, and the link to the view", async () => {
  const page = await openPage("names", { hash: "#view=table" });
  await page.evaluate(() => {
    window.copied = [];
    navigator.clipboard.writeText = async (text) => void window.copied.push(text);
  });
  await page.click("#table-scroller tbody tr .name");
  await page.click("#details .actions button:has-text('Copy name')");
  await page.keyboard.press("c");
  await page.click("#copy-link");
  const name = await selectedName(page);
  const copied = await page.evaluate(() => window.copied);
  assert.deepEqual(copied.slice(0, 2), [name, name]);
  assert.match(copied[2], /names\.html#view=table&sel=key%3A\d+$/);
  await closePage(page);
});

test("the theme follows the system until it is chosen", async () => {
  const page = await openPage("names", { scheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.emulateMedia({ colorScheme: "light" });
  const light = await background();
  assert.notEqual(dark, light);
  await page.click("#theme");
  await page.click("#theme");
  assert.equal(await background(), dark);
  await page.click("#theme");
  assert.equal(await background(), light);
  await closePage(page);
});
