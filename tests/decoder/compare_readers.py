#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
compare_readers.py TOOL FILE…           compares what trace_tool and decode.py read of traces and segments; and with
                                FILE.jsonl, if it exists: what trace_tool read when FILE was frozen
compare_readers.py TOOL --random N…     the same for segments of those seeds, alone and packed together into a trace
"""
import json
import os
import subprocess
import sys
import tempfile

import decode
import make_segment

# Ids of instances in a segment are its own; what counts is which frames have the same one.
OWN_IDS = "instance"


def rows_of_tool(tool, path):
    out = subprocess.run([tool, "dump", path], stdout=subprocess.PIPE, check=True).stdout
    return [json.loads(line) for line in out.decode("ascii").splitlines()]


def by_first_use(rows):
    known = {}
    for row in rows:
        if row["row"] == "frame":
            row[OWN_IDS] = known.setdefault(row[OWN_IDS], len(known))


def without_at(rows):
    """LLVM's symbols, which addr2line prints, lack the at sign that names of macros begin with."""
    for row in rows:
        if "stack" in row:
            row["stack"] = [code.replace("; @", "; ") for code in row["stack"]]


def compare(tool, path, is_segment):
    """Number of frames; ends the program at the first difference."""
    ours, theirs = rows_of_tool(tool, path), list(decode.decode(path))
    if is_segment:
        by_first_use(ours)
        by_first_use(theirs)
        without_at(ours)
        without_at(theirs)
    for i, (our, their) in enumerate(zip(ours, theirs)):
        # A segment does not say all that its process has in a trace.
        for key in their if is_segment else sorted(set(our) | set(their)):
            if our.get(key) != their.get(key):
                sys.exit("%s: row %d: %s is %r, decode.py says %r\n%s\n%s"
                         % (path, i, key, our.get(key), their.get(key), json.dumps(our), json.dumps(their)))
    if len(ours) != len(theirs):
        sys.exit("%s: %d rows, decode.py says %d" % (path, len(ours), len(theirs)))
    return sum(row["row"] == "frame" for row in ours)


def compare_file(tool, path):
    with open(path, "rb") as file:
        is_segment = file.read(8) == b"SNPISEG1"
    print("%s: %d frames" % (path, compare(tool, path, is_segment)))
    if os.path.exists(path + ".jsonl"):
        compare_frozen(tool, path)


def compare_frozen(tool, path):
    with open(path + ".jsonl", encoding="ascii") as file:
        frozen = [json.loads(line) for line in file]
    rows = rows_of_tool(tool, path)
    if len(rows) != len(frozen):
        sys.exit("%s: %d rows, there were %d" % (path, len(rows), len(frozen)))
    for i, (row, was) in enumerate(zip(rows, frozen)):
        for key in was:  # fields may have been added since
            if row.get(key) != was[key]:
                sys.exit("%s: row %d: %s is %r, it was %r" % (path, i, key, row.get(key), was[key]))


def compare_random(tool, seeds):
    with tempfile.TemporaryDirectory() as folder:
        n = 0
        for seed in seeds:
            path = os.path.join(folder, "%d.seg" % seed)
            with open(path, "wb") as file:
                file.write(make_segment.make(seed))
            n += compare(tool, path, True)
        trace = os.path.join(folder, "all.snoopi")
        subprocess.run([tool, "pack", folder, trace], check=True)
        packed = compare(tool, trace, False)
        if packed != n:
            sys.exit("%d frames in segments, %d in the trace of them" % (n, packed))
        print("%d segments: %d frames" % (len(seeds), n))


if __name__ == "__main__":
    if sys.argv[2:3] == ["--random"]:
        compare_random(sys.argv[1], [int(seed) for seed in sys.argv[3:]])
    else:
        for name in sys.argv[2:]:
            compare_file(sys.argv[1], name)
