# SPDX-License-Identifier: MIT
"""Compares the frames with the flag invalidated with Julia's own log of invalidations.

    check_invalidations.py SNOOPI TRACE LOG

LOG is what invalidation_log.jl wrote. Each instance with that flag must be in it; and of those in it, the first frame behind the
definitions that has no constant arguments must have the flag.
"""
import json
import subprocess
import sys


def main():
    snoopi, trace, log = sys.argv[1:]
    with open(log, encoding="utf-8") as file:
        defined_ns = int(file.readline())
        logged = {tuple(line.rstrip("\n").rsplit("\t", 1)) for line in file}
    flagged, missed, others = 0, [], []
    inferred = set()
    for line in subprocess.check_output([snoopi, "export", "--to=jsonl", "-o", "-", trace], text=True).splitlines():
        frame = json.loads(line)
        flags = set(frame["flags"])
        if frame["begin_ns"] < defined_ns or flags & {"constprop", "semiconcrete", "tooling", "toplevel"}:
            continue
        instance = (frame["name"], str(frame["line"]))
        if "invalidated" in flags:
            flagged += 1
            if instance not in logged:
                others.append(instance)
        elif instance in logged and instance not in inferred:
            missed.append(instance)
        inferred.add(instance)
    print(f"{len(logged)} instances were invalidated; {flagged} frames replaced such code")
    for what, names in ("not in Julia's log", others), ("not flagged", missed):
        for name in names[:5]:
            print(f"{what}: {name[0]}, line {name[1]}")
    if others or missed or flagged < 2:
        sys.exit(f"{len(others)} frames too many have the flag, {len(missed)} lack it")


main()
