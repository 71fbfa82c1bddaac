// SPDX-License-Identifier: MIT
// screenshots.mjs FOLDER: pictures of $SNOOPI_PAGES_DIR/page.html and change.html. tools/screenshots calls it.
import path from "node:path";
import { closeBrowser, framesOf, openBrowser, openPage } from "../tests/viewer/browser.mjs";

const WIDE = { width: 1200, height: 700 };
const PHONE = { width: 390, height: 780 };

const greatest = framesOf("page").filter((frame) => frame.parent === null).sort((a, b) => b.total_ns - a.total_ns)[0];
const PICTURES = [
  { name: "viewer-timeline", hash: `#sel=frame:${greatest.id}`, size: WIDE, scheme: "light" },
  { name: "viewer-flame", hash: "#view=flame&by=method", size: WIDE, scheme: "dark", keys: ["ArrowDown", "ArrowDown", "ArrowDown"], focus: "#flame" },
  { name: "viewer-search", hash: "#view=flame&by=method&q=getindex", size: WIDE, scheme: "light" },
  { name: "viewer-table", hash: "#view=table&by=method", size: WIDE, scheme: "light", click: "tbody .name" },
  { name: "viewer-callers", hash: "#view=sandwich&by=method", size: WIDE, scheme: "dark" },
  { name: "viewer-triggers", hash: "#view=triggers&sel=trigger:1", size: WIDE, scheme: "light", click: "#details .stack summary" },
  { name: "viewer-advice", hash: "#view=advice", size: WIDE, scheme: "light" },
  { name: "viewer-change", page: "change", hash: "#by=method&weight=count", size: WIDE, scheme: "light" },
  { name: "viewer-phone", hash: "#view=flame&by=method", size: PHONE, scheme: "light", keys: ["ArrowDown", "ArrowDown"], focus: "#flame" },
];

const folder = process.argv[2];
await openBrowser();
for (const { name, page: shown = "page", hash, size, scheme, keys = [], focus, click } of PICTURES) {
  const page = await openPage(shown, { hash, size, scheme });
  if (focus) {
    await page.focus(focus);
  }
  if (click) {
    await page.click(click);
  }
  for (const key of keys) {
    await page.keyboard.press(key);
  }
  await page.evaluate(() => document.activeElement.blur());
  await page.waitForTimeout(300);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  await page.close();
}
await closeBrowser();
