# SPDX-License-Identifier: MIT
"""What code in images of compiled Julia is, by addr2line (docs/format.md 2.4). Part of the decoder that shares no code with
libsnoopi."""

import os
import re
import subprocess

INLINED, C_CODE = 1, 2


def ask(path, offset):
    """(function, file, line) of an offset in the file, innermost first. Each by a program of its own: of many at once addr2line
    tells places of the one before."""
    out = subprocess.run(["addr2line", "-f", "-i", "-e", path, hex(offset)], stdout=subprocess.PIPE, check=True,
                         encoding="latin-1").stdout.splitlines()
    for function, place in zip(out[::2], out[1::2]):
        file, line = re.sub(r" \(discriminator [0-9]+\)$", "", place).rsplit(":", 1)
        yield function, file, int(line) if line.isdigit() else 0


def new_id(table):
    return max(table, default=0) + 1


def text(definitions, value):
    strings = definitions.of["string"]
    number = new_id(strings)
    strings[number] = value.encode("latin-1")
    return number


def file_of(definitions, name):
    raw = text(definitions, name)
    number = new_id(definitions.of["file"])
    definitions.of["file"][number] = (raw, 0)
    return number


def as_code(definitions, path, places):
    """Places of a CODE."""
    if places[0][0] == "??":
        return []
    if places[0][1] in ("??", "julia", "text"):  # no function of the debug information, but the unit that the code is of
        return [[text(definitions, places[0][0]), file_of(definitions, path), 0, 0, C_CODE]]
    code = []
    for i, (function, file, line) in enumerate(places):
        is_last = i + 1 == len(places)
        name = re.sub(r"^(?:julia|japi1|japi3)_(.*)_[0-9]+$", r"\1", function) if is_last else function
        code.append([text(definitions, name), file_of(definitions, file), line, 0, 0 if is_last else INLINED])
    return code


def look_up(definitions, images):
    """Fills in codes that the process did not look up; images are (base, size, path)."""
    codes = definitions.of["code"]
    for base, size, path in images:
        if not os.path.exists(path):
            continue
        for number, (address, places) in list(codes.items()):
            if not places and base < address <= base + size:
                codes[number] = (address, as_code(definitions, path, list(ask(path, address - 1 - base))))
