# SPDX-License-Identifier: MIT
"""
results.py TRACE.jsonl NOTED: are the return types in a recording those that Julia itself kept (results.jl)?

Each that was recorded has to be one that Julia kept, and the newest one if that holds. Where none was recorded Julia has to have
kept nothing that holds, unless no frame of the instance could tell: all with constant arguments, or left.
"""
import collections
import json
import sys

MIN_RESULTS = 1000
BLIND = {"constprop", "semiconcrete", "aborted", "unfinished", "toplevel", "tooling"}


def escaped(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def recorded(path):
    """Result, and whether a frame could tell it, by (name, world)."""
    out = {}
    with open(path, encoding="utf-8") as file:
        for frame in map(json.loads, file):
            key = (escaped(frame["name"]), frame["method_world"])
            _, told = out.get(key, (None, False))
            out[key] = (frame["result"], told or not BLIND & set(frame["flags"]))
    return out


def noted(path):
    """What Julia kept, the newest first, as (holds, type)."""
    out = collections.defaultdict(list)
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        for line in file:
            name, world, holds, kept = line.rstrip("\n").split("\t")
            out[name, int(world)] += [(holds == "1", kept)] if kept != "-" else []
    return out


def main(trace, path):
    results, kept = recorded(trace), noted(path)
    counts = collections.Counter()
    wrong = []
    for key, (result, is_told) in results.items():
        if key not in kept:
            counts["unknown to it"] += 1  # of a thunk, or made after it was asked
            continue
        types = [kind for _, kind in kept[key]]
        valid = [kind for holds, kind in kept[key] if holds]
        if result is None and is_told and valid:
            wrong.append((key, "nothing", valid))
        elif result is not None and (escaped(result) not in types or (valid and escaped(result) not in valid)):
            wrong.append((key, result, types))
        else:
            counts["none" if result is None else "right"] += 1
    print("%d return types are Julia's; %d instances have none; %d unknown to Julia" %
          (counts["right"], counts["none"], counts["unknown to it"]))
    for key, result, types in wrong[:20]:
        print("%s (world %d): %s, Julia has %s" % (key[0][:300], key[1], result, types), file=sys.stderr)
    if wrong:
        sys.exit("%d of %d are wrong" % (len(wrong), len(results)))
    if counts["right"] < MIN_RESULTS:
        sys.exit("expected at least %d" % MIN_RESULTS)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
