# SPDX-License-Identifier: MIT
"""Compares the frames that snoopi recorded with those that the program itself noted.

    compare.py SNOOPI TRACE TRUTH

TRUTH has a line per frame: depth, 1 if it had constant arguments, and the instance as Julia shows it; then, if they are known, its flags,
and the self time in ns that the compiler measured itself, or nothing. Frames between the marks truth-begin and truth-end must be the same, one
for one, in order. Times are told, not compared: both clocks are read at other moments.
"""
import json
import subprocess
import sys

NOTED_FLAGS = {"constprop", "cycle", "nested", "semiconcrete"}


def recorded(snoopi, trace):
    """The frames between the marks, with a name that is one line."""
    info = json.loads(subprocess.check_output([snoopi, "info", "--format=json", trace]))
    marks = {mark["name"]: mark for mark in info["marks"]}  # the last of each name
    begin, end = marks["truth-begin"]["time_ns"], marks["truth-end"]["time_ns"]
    process = marks["truth-begin"]["process"]  # a program may start other julias, which note nothing
    frames = []
    lines = subprocess.Popen([snoopi, "export", "--to=jsonl", "-o", "-", trace], stdout=subprocess.PIPE)
    for line in lines.stdout:
        frame = json.loads(line)
        if frame["process"] == process and begin <= frame["begin_ns"] < end:
            frame["name"] = frame["name"].replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
            frames.append(frame)
    if lines.wait() != 0:
        sys.exit("snoopi export failed")
    return frames


def check_sums(frames):
    """Sum of self is the sum of the roots' totals, to the nanosecond."""
    self_ns = sum(frame["self_ns"] for frame in frames)
    total_ns = sum(frame["total_ns"] for frame in frames if frame["depth"] == 0)
    if self_ns != total_ns:
        sys.exit(f"self times sum up to {self_ns} ns, totals of the roots to {total_ns} ns")


def same_fields(frame, n_fields):
    """What the truth's line must have for this frame."""
    flags = NOTED_FLAGS.intersection(frame["flags"])
    fields = [str(frame["depth"]), "0" if flags.isdisjoint({"constprop", "semiconcrete"}) else "1", frame["name"]]
    return fields + [" ".join(sorted(flags))] if n_fields > 3 else fields


def tell_times(noted, frames):
    """How self compares with what the compiler measured, which has 11 bits, and holds the end of what was called as well."""
    depths = [frame["depth"] for frame in frames] + [0]
    pairs = [(frame["self_ns"], int(line[4])) for line, frame, next_depth in zip(noted, frames, depths[1:])
             if len(line) > 4 and line[4] not in ("", "0") and next_depth <= frame["depth"]]
    if pairs:
        ratios = sorted(ours / theirs for ours, theirs in pairs)
        at = [ratios[int(part * (len(ratios) - 1))] for part in (0.05, 0.5, 0.95)]
        whole = sum(ours for ours, _ in pairs) / sum(theirs for _, theirs in pairs)
        print(f"self of {len(pairs)} of them, which call nothing, is {whole:.3f} of the compiler's own in all, {at[1]:.3f} in the median, "
              f"{at[0]:.3f} to {at[2]:.3f} from the 5th to the 95th percentile")


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
        theirs = noted[i][:4] if i < len(noted) else None
        ours = same_fields(frames[i], len(theirs or ())) if i < len(frames) else None
        if ours != theirs:
            wrong += 1
            if wrong <= 5:
                print(f"frame {i}: noted {theirs}, recorded {ours}")
    if wrong:
        sys.exit(f"{wrong} of {len(noted)} frames differ")
    counts = {flag: sum(flag in frame["flags"] for frame in frames) for flag in sorted(NOTED_FLAGS)}
    print(f"{len(noted)} frames, all the same; " + ", ".join(f"{n} {flag}" for flag, n in counts.items() if n))
    tell_times(noted, frames)


if __name__ == "__main__":
    main()
