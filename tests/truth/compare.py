# SPDX-License-Identifier: MIT
"""Compares the frames that snoopi recorded with those that the program itself noted.

    compare.py SNOOPI TRACE TRUTH

TRUTH has a line per frame: depth, 1 if it had constant arguments, and the instance as Julia shows it. Frames between the marks
truth-begin and truth-end must be the same, one for one, in order.
"""
import json
import subprocess
import sys


def recorded(snoopi, trace):
    """(depth, has constant arguments, name) of each frame between the marks."""
    info = json.loads(subprocess.check_output([snoopi, "info", "--format=json", trace]))
    marks = {mark["name"]: mark for mark in info["marks"]}
    begin, end = marks["truth-begin"]["time_ns"], marks["truth-end"]["time_ns"]
    process = marks["truth-begin"]["process"]  # a program may start other julias, which note nothing
    frames = []
    lines = subprocess.Popen([snoopi, "export", "--to=jsonl", "-o", "-", trace], stdout=subprocess.PIPE)
    for line in lines.stdout:
        frame = json.loads(line)
        if frame["process"] != process:
            continue
        if begin <= frame["begin_ns"] < end:
            name = frame["name"].replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
            has_constants = not {"constprop", "semiconcrete"}.isdisjoint(frame["flags"])
            frames.append((frame["depth"], has_constants, name, frame))
    if lines.wait() != 0:
        sys.exit("snoopi export failed")
    return frames


def check_sums(frames):
    """Sum of self is the sum of the roots' totals, to the nanosecond."""
    self_ns = sum(frame[3]["self_ns"] for frame in frames)
    total_ns = sum(frame[3]["total_ns"] for frame in frames if frame[0] == 0)
    if self_ns != total_ns:
        sys.exit(f"self times sum up to {self_ns} ns, totals of the roots to {total_ns} ns")


def main():
    snoopi, trace, truth = sys.argv[1:]
    frames = recorded(snoopi, trace)
    with open(truth, encoding="utf-8") as file:
        noted = [line.rstrip("\n").split("\t") for line in file]
    if len(noted) < 10:
        sys.exit(f"the program noted {len(noted)} frames only: this proves nothing")
    check_sums(frames)
    wrong = 0
    for i in range(max(len(noted), len(frames))):
        theirs = (int(noted[i][0]), noted[i][1] == "1", noted[i][2]) if i < len(noted) else None
        ours = frames[i][:3] if i < len(frames) else None
        if ours != theirs:
            wrong += 1
            if wrong <= 5:
                print(f"frame {i}: noted {theirs}, recorded {ours}")
    if wrong:
        sys.exit(f"{wrong} of {len(noted)} frames differ")
    semiconcrete = sum("semiconcrete" in frame[3]["flags"] for frame in frames)
    print(f"{len(noted)} frames, all the same; {semiconcrete} of them of semi-concrete evaluation")


if __name__ == "__main__":
    main()
