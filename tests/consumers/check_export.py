#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads an export as strictly as its format's readers do, and compares its sums with those of `snoopi list`.

    check_export.py chrome|speedscope|pprof|folded|svg|sqlite|html|json|jsonl|csv FILE JSONL LIST... TRIGGERS

JSONL is the same trace as jsonl, whose names all have to be there; LIST... are outputs of `snoopi list --format=json --limit=0`,
TRIGGERS of `snoopi triggers --stack` with the same. Of
pprof FILE is what `pprof -raw` printed, of folded what flamegraph.pl drew. Prints what it saw.
"""
import base64
import csv
import json
import re
import sqlite3
import sys
import xml.dom.minidom
import zlib
from collections import Counter
from decimal import Decimal


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key twice: {keys}"
    return dict(pairs)


def not_json(word):
    raise ValueError(f"{word} is not JSON")


def strict_json(path):
    with open(path, encoding="utf-8", errors="strict") as file:
        return json.load(file, object_pairs_hook=no_duplicates, parse_constant=not_json, parse_float=Decimal)


class Stack:
    """Frames of one track: they nest, and time never goes back."""

    def __init__(self):
        self.open = []
        self.at = Decimal(0)

    def move(self, at):
        assert at >= self.at, f"back from {self.at} to {at}"
        self.at = at


def check_chrome(path, frames, totals):
    tracks, named, begins, ids = {}, set(), [], []
    document = strict_json(path)
    for event in document["traceEvents"]:
        track = event["pid"], event["tid"]
        if event["ph"] == "M":
            named.add((event["name"], track))
            continue
        assert ("thread_name", track) in named and ("process_name", (track[0], 0)) in named, track
        stack = tracks.setdefault(track, Stack())
        stack.move(event["ts"])
        if event["ph"] == "E":
            begin = stack.open.pop()
            assert begin["name"] == event["name"] and "dur" not in begin
            continue
        while event["ph"] == "X" and stack.open and stack.open[-1]["ts"] + stack.open[-1]["dur"] <= event["ts"]:
            stack.open.pop()
        assert event["ph"] == "B" or event["dur"] * 1000 >= event["args"]["total_ns"], event
        if event["ph"] == "X" and stack.open:
            assert event["ts"] + event["dur"] <= stack.open[-1]["ts"] + stack.open[-1]["dur"], event
        stack.open.append(event)
        begins.append(event)
        ids.append(event["args"]["id"])
        assert event["cat"] == "inference" and ("task" in event["args"]) == (len(stack.open) == 1), event
    assert all(not stack.open or stack.open[0]["ph"] == "X" for stack in tracks.values())
    assert {name: document["otherData"][name] for name in totals} == totals
    assert ids == [frame["id"] for frame in frames]
    return [event["name"] for event in begins], sum(e["args"]["self_ns"] for e in begins), len(begins)


def check_speedscope(path, frames, totals):
    document = strict_json(path)
    shared, names, weight, roots_ns = document["shared"]["frames"], [], 0, 0
    for profile in document["profiles"]:
        stack = Stack()
        stack.move(profile["startValue"])
        for event in profile["events"]:
            stack.move(event["at"])
            if event["type"] == "O":
                stack.open.append((event["frame"], event["at"]))
                names.append(shared[event["frame"]]["name"])
            else:
                frame, begin = stack.open.pop()
                assert frame == event["frame"]
                roots_ns += 0 if stack.open else event["at"] - begin
        assert not stack.open and stack.at == profile["endValue"]
        weight += profile["endValue"]
        unit = profile["unit"]
    if unit == "none":
        assert weight == len(frames), weight
    else:
        assert roots_ns == sum(f["end_ns"] - f["begin_ns"] for f in frames if f["depth"] == 0)
    return names, sum(f["self_ns"] for f in frames), len(names)


def check_pprof(path, frames, totals):
    text = open(path, encoding="utf-8", errors="strict").read()
    samples, locations = re.search(r"^Samples:\n(.*)^Locations\n(.*)^Mappings\n", text, re.S | re.M).groups()
    values = re.findall(r"^ +(\d+) +(\d+): [\d ]+$", samples, re.M)
    names = re.findall(r"^ +\d+: 0x0 M=1 (.*) \S*:-?\d+ s=-?\d+\(.*\)$", locations, re.M)
    assert "PeriodType: inference nanoseconds" in text and re.search(r"^1: .* \[FN\]\[FL\]\[LN\]$", text, re.M)
    labels = Counter(re.findall(r"(process|thread|flag):\[", samples))
    assert labels["process"] == labels["thread"] == len(values), labels
    return names, sum(int(v[0]) for v in values), sum(int(v[1]) for v in values)


def check_folded(path, frames, totals):
    """What flamegraph.pl drew: it says the sum in its lowest frame."""
    text = open(path, encoding="utf-8", errors="replace").read()  # its labels may end in the midst of a character
    document = xml.dom.minidom.parseString(text.encode())
    titles = [t.firstChild.data for t in document.getElementsByTagName("title")]
    (total,) = [t for t in titles if t.startswith("all (")]
    weight = int(re.search(r"all \(([\d,]+) \S+, 100%\)", total).group(1).replace(",", ""))
    names = [t.rsplit(" (", 1)[0].replace("\u037e", ";") for t in titles]
    return names, weight, None


def check_svg(path, frames, totals):
    document = xml.dom.minidom.parse(path)
    groups = [g for g in document.getElementsByTagName("g") if g.getAttribute("class") == "f"]
    titles = [g.getElementsByTagName("title")[0].firstChild.data for g in groups]
    scripts = document.getElementsByTagName("script")
    assert len(scripts) == 1, "one script, ours"
    text = open(path, encoding="utf-8").read()
    assert set(re.findall(r"https?://[^\"' )]*", text)) == {"http://www.w3.org/2000/svg"}, "no network"
    for group in groups[1:]:
        assert [child.nodeName for child in group.childNodes] == ["title", "rect", "text"]
    assert int(groups[0].getAttribute("data-x")) == 0
    count = int(re.search(r", (\d+) frames?$", titles[0]).group(1))
    return [t.split("\n")[0] for t in titles], int(groups[0].getAttribute("data-w")), count


def check_sqlite_triggers(base, frames, triggers):
    """The view of pairs is what snoopi triggers lists of the roots that are there, and the stacks are its stacks."""
    roots = {frame["name"] for frame in frames if frame["parent"] is None}
    rows_of_roots = [row for row in triggers["rows"] if row["callee"] in roots]
    fields = ("callee", "caller", "class", "file", "line", "total_ns", "count")
    wanted = Counter(tuple(row[f] or 0 if f == "line" else row[f] for f in fields) for row in rows_of_roots)
    got = Counter(tuple(row) for row in base.execute(f"SELECT {', '.join(fields)} FROM trigger_pairs"))
    assert got == wanted, f"{list((got - wanted).items())[:3]} and not {list((wanted - got).items())[:3]}"
    stacks = Counter()
    for (root,) in base.execute("SELECT root FROM triggers").fetchall():
        rows = base.execute("SELECT name, file, line FROM root_stacks WHERE root = ? ORDER BY level, position", (root,))
        stacks[tuple((row["name"], row["file"] or "", row["line"] or 0) for row in rows)] += 1
    for row in rows_of_roots:
        stack = tuple((place["name"] or "", place["file"] or "", place["line"] or 0) for place in row["stack"])
        assert stacks[stack] > 0, stack
    assert sum(stacks.values()) >= len(rows_of_roots)


def check_sqlite(path, frames, totals, lists, triggers):
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    base.row_factory = sqlite3.Row
    for listing in lists:
        view = f"by_{listing['by']}"
        fields = [f for f in ("name", "module", "file", "line", "self_ns", "total_ns", "gc_ns", "count") if f in listing["rows"][0]]
        if listing["by"] in ("process", "thread"):
            fields = [f for f in ("process", "thread", "self_ns", "total_ns", "count") if f in listing["rows"][0]]
        columns = [row["name"] for row in base.execute(f"PRAGMA table_info({view})")]
        fields = [f for f in fields if f in columns]
        wanted = Counter(tuple(row[f] or 0 if f == "line" else row[f] for f in fields) for row in listing["rows"])
        got = Counter(tuple(row) for row in base.execute(f"SELECT {', '.join(fields)} FROM {view}"))
        assert got == wanted, f"{view}: {list((got - wanted).items())[:3]} and not {list((wanted - got).items())[:3]}"
    check_sqlite_triggers(base, frames, triggers)
    for name in totals:
        (value,) = base.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        assert value == totals[name], name
    rows = base.execute("SELECT f.*, (SELECT count(*) FROM arguments a WHERE a.frame = f.id) AS n_args FROM described_frames f ORDER BY id").fetchall()
    origin = base.execute("SELECT value FROM meta WHERE name = 'origin_ns'").fetchone()[0]
    for row, frame in zip(rows, frames, strict=True):
        for field in ("id", "parent", "depth", "process", "thread", "name", "module", "file", "line", "total_ns", "self_ns", "gc_ns", "instance"):
            assert row[field] == frame[field], (field, row[field], frame[field])
        assert row["begin_ns"] + origin == frame["begin_ns"]
        assert (row["flags"] or "").split() == frame["flags"] and row["n_args"] == len(frame["args"])
    return [row["name"] for row in rows], sum(row["self_ns"] for row in rows), len(rows)


def numbers_of(data, at, n):
    """The next n unsigned LEB128 numbers, and where they end."""
    numbers = []
    for _ in range(n):
        value, shift = 0, 0
        while data[at] >= 128:
            value |= (data[at] & 127) << shift
            shift += 7
            at += 1
        numbers.append(value | data[at] << shift)
        at += 1
    return numbers, at


def check_html(path, frames, totals):
    """What export_html.c says of its own data, read by another hand."""
    text = open(path, encoding="utf-8").read()
    packed = re.findall(r'<script type="text/plain" (?:class|id)="(\w+)">([^<]*)</script>', text)
    unpacked = [(name, zlib.decompress(base64.b64decode(data, validate=True), -15)) for name, data in packed]
    about = json.loads(dict(unpacked)["about"], object_pairs_hook=no_duplicates, parse_constant=not_json)
    names, self_ns = [], []
    for data in (data for name, data in unpacked if name == "frames"):
        (n, *sizes), at = numbers_of(data, 0, 13)
        starts = [at + sum(sizes[:i]) for i in range(len(sizes))]
        names += [about["instances"][i][0] for i in numbers_of(data, starts[0], n)[0]]
        self_ns += numbers_of(data, starts[4], n)[0]
    assert about["totals"] == totals
    assert names == [f["name"] for f in frames] and self_ns == [f["self_ns"] for f in frames]
    causes = json.loads(dict(unpacked)["causes"])
    assert sum(row[7] for row in causes["triggers"]["rows"]) <= totals["roots"]
    return names, sum(self_ns), len(names)


def check_json(path, frames, totals):
    document = strict_json(path)
    assert document["totals"] == totals and document["rows"] == frames
    return [f["name"] for f in frames], sum(f["self_ns"] for f in document["rows"]), len(document["rows"])


def check_jsonl(path, frames, totals):
    lines = open(path, encoding="utf-8", errors="strict").read().splitlines()
    read = [json.loads(line, object_pairs_hook=no_duplicates, parse_constant=not_json) for line in lines]
    return [f["name"] for f in read], sum(f["self_ns"] for f in read), len(read)


def check_csv(path, frames, totals):
    with open(path, encoding="utf-8", errors="strict", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    for row, frame in zip(rows, frames, strict=True):
        assert row["name"] == frame["name"] and row["flags"].split() == frame["flags"]
    return [row["name"] for row in rows], sum(int(row["self_ns"]) for row in rows), len(rows)


def main():
    form, path, jsonl, *list_paths = sys.argv[1:]
    triggers = strict_json(list_paths.pop())
    frames = [json.loads(line) for line in open(jsonl, encoding="utf-8")]
    lists = [strict_json(p) for p in list_paths]
    totals = lists[0]["totals"]
    if form == "sqlite":
        names, self_ns, count = check_sqlite(path, frames, totals, lists, triggers)
    else:
        names, self_ns, count = globals()[f"check_{form}"](path, frames, totals)
    wanted_ns, wanted_count = (sum(row[field] for row in lists[0]["rows"]) for field in ("self_ns", "count"))
    assert self_ns == wanted_ns, f"{self_ns} ns, list says {wanted_ns}"
    assert count in (None, wanted_count), f"{count} frames, list says {wanted_count}"
    wanted = {f["name"] for f in frames}
    if form == "folded":  # flamegraph.pl draws no angle brackets, nor what weighs nothing
        wanted = {f["name"].translate(str.maketrans("<>", "()")) for f in frames if f["self_ns"] > 0}
    elif form == "svg":  # leaves out what is too narrow to be seen
        wanted = {f["name"] for f in frames if f["self_ns"] * 10000 > totals["inference_ns"]}
    missing = wanted - set(names)
    assert not missing, f"names are missing: {sorted(missing)[:3]}"
    print(f"{form}: {self_ns} ns, {count} frames, {len(set(names))} names")


main()
