// SPDX-License-Identifier: MIT
// For all: axe finds nothing, text can be read in both themes, a phone shows it without scrolling sideways.
import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { AxeBuilder, closeBrowser, closePage, DESKTOP, fragmentOf, framesOf, openBrowser, openPage, PHONE, selectedName, SOURCE_DIR } from "./browser.mjs";

before(openBrowser);
after(closeBrowser);

const HASHES = ["#sel=frame:5", "#view=flame&sel=node:3", "#view=table&sel=key:0", "#view=sandwich", "#view=triggers&sel=trigger:0", "#view=advice"];

async function show(page, hash) {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.waitForTimeout(150);
}

/** Violations, one a line. */
async function violations(page) {
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze(); // there are no frames to cross
  return found.map((v) => `${v.impact} ${v.id}: ${v.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(", ")}`);
}

for (const [scheme, place, size] of [["light", "desktop", DESKTOP], ["dark", "desktop", DESKTOP], ["light", "phone", PHONE]]) {
  test(`axe finds nothing: ${scheme}, ${place}`, async () => {
    const page = await openPage("script", { scheme, size });
    for (const hash of HASHES) {
      await show(page, hash);
      assert.deepEqual(await violations(page), [], hash);
    }
    await closePage(page);
  });
}

test("axe finds nothing in the help", async () => {
  const page = await openPage("names");
  await page.click("#help-button");
  assert.deepEqual(await violations(page), []);
  await closePage(page);
});

for (const [scheme, size] of [["light", DESKTOP], ["dark", PHONE]]) {
  test(`axe finds nothing where stacks and evidence are open: ${scheme}`, async () => {
    const page = await openPage("names", { scheme, size, hash: "#view=triggers&sel=trigger:0" });
    await page.click("#details .stack summary");
    await page.waitForSelector("#details .places li");
    assert.deepEqual(await violations(page), []);
    await page.click("#tab-advice");
    await page.$$eval("details.evidence", (all) => all.forEach((one) => (one.open = true)));
    assert.deepEqual(await violations(page), []);
    await closePage(page);
  });
}

test("a phone's width needs no scrolling sideways", async () => {
  const page = await openPage("names", { size: PHONE });
  for (const hash of HASHES) {
    await show(page, hash);
    const widths = await page.evaluate(() => {
      const wide = [...document.querySelectorAll("body *")].filter((one) => {
        const { right, width } = one.getBoundingClientRect();
        return width > 0 && right > innerWidth + 1 && !one.closest("#crumbs, .off-screen");
      });
      return { page: document.documentElement.scrollWidth, window: innerWidth, wide: wide.map((one) => one.id || one.className) };
    });
    assert.deepEqual(widths, { page: PHONE.width, window: PHONE.width, wide: [] }, hash);
  }
  await closePage(page);
});

test("fingers: a tap selects, two zoom, one moves along", async () => {
  const page = await openPage("names", { size: PHONE });
  const box = await (await page.$("#timeline")).boundingBox();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  const touch = (type, ...xs) =>
    devtools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: xs.map((x, id) => ({ x: box.x + x, y: box.y + 60, id })),
    });
  const range = async () => ((await fragmentOf(page)).get("at") || "").split("-").map(Number);
  await touch("touchStart", 150, 200);
  await touch("touchMove", 80, 280);
  await touch("touchMove", 40, 330);
  await touch("touchEnd");
  const zoomed = await range();
  assert.equal(zoomed.length, 2);
  await touch("touchStart", 300);
  await touch("touchMove", 250);
  await touch("touchMove", 200);
  await touch("touchEnd");
  const moved = await range();
  assert.ok(moved[0] > zoomed[0]);
  assert.equal(await selectedName(page), "");
  const first = framesOf("names").filter((frame) => frame.depth === 0).sort((a, b) => b.total_ns - a.total_ns)[0];
  await show(page, `#sel=frame:${first.id}`);
  await page.focus("#timeline");
  await page.keyboard.press("Enter");
  await show(page, `#at=${(await fragmentOf(page)).get("at")}`);
  await touch("touchStart", 180);
  await touch("touchEnd");
  assert.equal(await selectedName(page), first.name);
  await closePage(page);
});

test("labels can be read on every colour", async () => {
  const { inkOn, makePalette, FOUND_COLOR, COLOR_KINDS, CHANGE_KIND } = await import(
    pathToFileURL(path.join(SOURCE_DIR, "viewer/js/draw/palette.js")).href
  );
  const part = (hex, at) => {
    const c = parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  const luminance = (hex) => 0.2126 * part(hex, 1) + 0.7152 * part(hex, 3) + 0.0722 * part(hex, 5);
  const contrast = (a, b) => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
  const profile = { instances: [], flagNames: [], about: { flags_seen: 0, inference_ns: 1 } };
  for (const theme of ["light", "dark"]) {
    for (const kind of [...COLOR_KINDS, CHANGE_KIND]) {
      for (const fill of [...makePalette(profile, kind, String).fills(theme), FOUND_COLOR[theme]]) {
        assert.ok(contrast(fill, inkOn(fill)) >= 4.5, `${kind} ${theme} ${fill}`);
      }
    }
  }
});
