# SPDX-License-Identifier: MIT
"""Traces, after docs/format.md 3."""
import struct
import subprocess

from records import ARGS, RESULT, Damage, Definitions, Fields, definition, flag_names, records

NUMBERS = {
    1: "index", 2: "pid", 3: "ppid", 4: "begin_ns", 5: "begin_real_ns", 6: "wall_ns", 7: "agent_start_ns",
    8: "world_begin", 9: "world_end", 10: "dropped_frames", 11: "dropped_records", 12: "segment_bytes",
    13: "event_bytes", 14: "hook", 15: "flags", 16: "exit_kind", 17: "exit_value", 18: "complete", 19: "frames",
    20: "roots", 21: "inference_ns", 22: "busy_ns", 23: "tool_ns", 24: "gc_ns", 26: "instances", 27: "outside_ns",
    28: "parent",
}
TEXTS = {128: "argv", 129: "julia", 130: "role", 131: "bindir", 132: "cwd", 133: "exe", 134: "reason", 135: "hook_text",
         136: "compile", 137: "damage"}


def decompress(stored, raw_size):
    raw = subprocess.run(["zstd", "-dc", "--no-progress", "-q"], input=stored, stdout=subprocess.PIPE, check=True).stdout
    if len(raw) != raw_size:
        raise Damage("page of another size than it says")
    return raw


def pages(data):
    """Yields (kind, raw bytes) up to the END page."""
    at = 16
    while True:
        if at == len(data):
            raise Damage("no END page")
        magic, kind, zero, stored_size, raw_size, _ = struct.unpack_from("<4sHHIIQ", data, at)
        if magic != b"SNPG" or zero != 0:
            raise Damage("no page at byte %d" % at)
        stored = data[at + 24 : at + 24 + stored_size]
        yield kind, decompress(stored, raw_size)
        at += 24 + stored_size
        if kind == 4:
            break
    if at != len(data):
        raise Damage("bytes behind the END page")


def keyed_fields(payload):
    out = {name: 0 for name in NUMBERS.values()}
    out.update({name: "" for name in TEXTS.values()})
    fields = Fields(payload)
    while fields.at < len(payload):
        key = fields.number()
        value = fields.number()
        if key < 128:
            out[NUMBERS.get(key, "?")] = value
        else:
            text = fields.bytes(value).decode("latin-1")
            out[TEXTS.get(key, "?")] = text
    out.pop("?", None)
    return out


class Walk:
    """The frames of one process, over its pages."""

    def __init__(self, definitions, process, first_id):
        self.definitions = definitions
        self.process = process
        self.first_id = first_id
        self.number = 0
        self.path = []
        self.lane = (0, 0)
        self.line = (0, 0)
        self.stack = ([], 0)
        self.begin = 0

    def page(self, raw):
        head = Fields(raw)
        if head.number() != self.number:
            raise Damage("page out of order")
        is_first = True
        for tag, payload, _ in records(raw, head.at):
            fields = Fields(payload)
            if tag == 38:
                self.line = (fields.id(), fields.number())
            elif tag == 40:
                self.stack = (fields.numbers(fields.id()), fields.number())
            elif tag in (80, 81):
                yield self.frame(fields, tag, is_first)
                is_first = False

    def frame(self, fields, tag, is_first):
        if tag == 80:
            flags, depth, begin, span, total, self_ns, gc, instance = (fields.number() for _ in range(8))
        else:
            flags, depth, begin, span, tool, in_children, gc, instance = fields.sized(8)
            total = span - tool
            self_ns = total - in_children
        if depth > len(self.path):
            raise Damage("frame without its parent")
        if depth == 0:
            self.lane = (fields.number(), fields.number())
        args = []
        if flags & ARGS:
            for _ in range(fields.number()):
                position, node = fields.id(), fields.id()
                args.append([position, self.definitions.node_text(node)])
        if is_first:
            self.begin = self.process["begin_ns"] + begin
        else:
            self.begin += (begin >> 1) ^ -(begin & 1)
        self.begin %= 1 << 64
        number = self.first_id + self.number
        self.number += 1
        del self.path[depth:]
        parent = self.path[-1] if self.path else None
        self.path.append(number)
        out = {"id": number, "parent": parent, "depth": depth, "process": self.process["index"],
               "thread": self.lane[0], "task": self.lane[1]}
        out.update(self.definitions.instance(instance))
        out.update({"begin_ns": self.begin, "end_ns": (self.begin + span) % (1 << 64), "total_ns": total, "self_ns": self_ns,
                    "gc_ns": gc, "flags": flag_names(flags), "instance": instance, "args": args,
                    "result": self.definitions.result_text(self.definitions.results.get(instance, 0)),
                    "top_file": self.definitions.raw_file(self.line[0]), "top_line": self.line[1],
                    "stack": [self.definitions.code_text(code) for code in self.stack[0]],
                    "stack_cut": self.stack[1] & 1 if self.stack[0] else 0})
        self.stack = ([], 0)
        return out


def decode(data):
    """Yields processes, marks, invalidations and frames of a trace."""
    magic, version, zero = struct.unpack_from("<8sII", data)
    if magic != b"SNOOPI\r\n" or version not in (1, 2) or zero != 0:
        raise Damage("not a trace of version 1 or 2")
    definitions = Definitions()
    walk = None
    first_id = 0
    everything = list(pages(data))
    for raw in (raw for kind, raw in everything if kind == 1):
        for tag, payload, _ in records(raw):
            if tag <= 8:
                what, number, contents = definition(tag, payload)
                if number != len(definitions.of[what]) + 1:
                    raise Damage("ids of definitions with gaps")
                definitions.of[what][number] = contents
            elif tag == RESULT:
                definitions.result(payload)
    for kind, raw in everything:
        if kind == 2:
            if walk and walk.number != walk.process["frames"]:
                raise Damage("process with another number of frames than it says")
            first_id += walk.number if walk else 0
            for tag, payload, _ in records(raw):
                if tag == 64:
                    walk = Walk(definitions, keyed_fields(payload), first_id)
                    yield {"row": "process", **walk.process}
                elif tag == 66:
                    fields = Fields(payload)
                    yield {"row": "mark", "process": walk.process["index"], "time_ns": fields.number(),
                           "name": definitions.text(fields.id())}
                elif tag == 67:
                    fields = Fields(payload)
                    yield {"row": "invalidated", "process": walk.process["index"], **definitions.instance(fields.id()),
                           "world": fields.number()}
        elif kind == 3:
            for frame in walk.page(raw):
                yield {"row": "frame", **frame}
