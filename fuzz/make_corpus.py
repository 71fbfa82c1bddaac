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


def write(corpus, name, data):
    folder = os.path.join(HERE, "corpus", corpus)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


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
    pages = b"".join(bytes([kind]) + len(raw).to_bytes(3, "little") + raw for kind, raw in decode_trace.pages(trace))
    write("pages", "random%d" % seed, pages)
