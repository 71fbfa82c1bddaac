#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
decode.py FILE: prints a trace or segment as one JSON object a line: processes, marks and frames.

A second reader of the formats, written from docs/format.md alone; it shares nothing with libsnoopi, so where both
agree the text is right. Bytes that are no ASCII are shown as the characters of the same numbers.
"""
import json
import sys

import decode_segment
import decode_trace


def decode(path):
    with open(path, "rb") as file:
        data = file.read()
    reader = decode_segment if data[:8] == b"SNPISEG1" else decode_trace
    return reader.decode(data)


if __name__ == "__main__":
    for row in decode(sys.argv[1]):
        print(json.dumps(row))
