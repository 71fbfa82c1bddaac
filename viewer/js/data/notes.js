// SPDX-License-Identifier: MIT
// What the recording lacks, as sentences: no partial result is shown as a whole one. cli/summary.c says the same.
import { formatCount } from "../base/format.js";

function processNotes(p) {
  const notes = [];
  if (p.hook === "none") {
    notes.push(`not recorded: ${p.reason || "the hook was not set"}`);
  } else if (p.reason) {
    notes.push(p.reason);
  }
  if (p.compile_mode === "no" || p.compile_mode === "min") {
    notes.push(`inference was off: julia ran with --compile=${p.compile_mode}`);
  }
  if (p.compiler_replaced) {
    notes.push("its compiler was replaced while it ran; frames after that may be missing");
  }
  if (!p.has_stacks && p.roots > 0) {
    notes.push("no stacks were recorded: who called into the compiler is not known");
  }
  if (p.dropped_frames > 0) {
    notes.push(`${formatCount(p.dropped_frames)} frames could not be written`);
  }
  if (p.dropped_records > 0) {
    notes.push(`${formatCount(p.dropped_records)} records could not be written`);
  }
  if (p.damage) {
    notes.push(p.damage);
  }
  const isTold = p.damage || p.reason || p.dropped_frames > 0 || p.dropped_records > 0;
  if (!p.complete && p.hook !== "none" && !isTold) {
    const how = p.exit && p.exit.signal ? `cut by signal ${p.exit.signal}` : "cut: it was killed, or was still running";
    notes.push(`${how}; what had ended is here, frames that were open are marked unfinished`);
  }
  return notes.map((note) => `process ${p.index} (${p.role || "julia"}, pid ${p.pid}): ${note}`);
}

export function notesOf(profile) {
  const { about } = profile;
  const notes = [];
  if (about.damage) {
    notes.push(`the file is damaged: ${about.damage}`);
  }
  if (about.recording.note) {
    notes.push(about.recording.note);
  }
  about.processes.forEach((p) => notes.push(...processNotes(p)));
  if (profile.n < about.totals.frames) {
    notes.push(
      `this page was made of a part of the recording: ${formatCount(profile.n)} of ${formatCount(about.totals.frames)} frames`,
    );
  }
  return notes;
}
