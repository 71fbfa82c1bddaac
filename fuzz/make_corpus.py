#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
make_corpus.py TRACE_TOOL: writes the first inputs of all corpora: segments of random events (tests/decoder), the trace of
them, and its pages.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "decoder"))

import decode_trace  # noqa: E402
import make_segment  # noqa: E402

SEEDS = [14, 1, 7, 40]
# For fuzz_words.c: what it is, then the word.
WORDS = {
    "gate": b"ginstances>+0",
    "gate_or": b"ginference>=+20% or frames > -5.5e1 or roots<+1 or inference<-3ms",
    "time": b"t1.5s",
    "time_micro": "t12\N{MICRO SIGN}s".encode(),
    "time_huge": b"t1e308min",
    "number": b"n18446744073709551615",
    "choice": b"cone",
    "option": b"o--tim=7ns",
    "option_letter": b"o-t3us",
    "pattern": b"pBase.*\0Base.Sort",
    "pattern_set": b"p[a-f]?*x\0foo\\x",
    "pattern_file": b"psort.jl:7\0/usr/share/julia/base/sort.jl",
}


def write(corpus, name, data):
    folder = os.path.join(HERE, "corpus", corpus)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def names(seed):
    """All definitions of a segment, for one Julia or another."""
    maker = make_segment.Maker(seed)
    maker.define_all()
    return bytes([seed % 8]) + b"".join(maker.definitions)


def small(seed):
    """The first seed from there whose segment is small."""
    while len(make_segment.make(seed)) > 20000:
        seed += 1
    return make_segment.make(seed)


for seed in SEEDS:
    segment = small(seed)
    write("segment", "random%d" % seed, segment)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.seg"), "wb") as file:
            file.write(segment)
        path = os.path.join(folder, "trace")
        subprocess.run([sys.argv[1], "pack", folder, path], check=True)
        with open(path, "rb") as file:
            trace = file.read()
    write("trace", "random%d" % seed, trace)
    write("names", "random%d" % seed, names(seed))
    pages = b"".join(bytes([kind]) + len(raw).to_bytes(3, "little") + raw for kind, raw in decode_trace.pages(trace))
    write("pages", "random%d" % seed, pages)
    for what in range(6):
        options = bytes([what, seed, seed, 0, 0, 0, 0, 0])
        write("views", "random%d-%d" % (seed, what), options + pages)

for name, word in WORDS.items():
    write("words", name, word)
