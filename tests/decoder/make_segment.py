#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
make_segment.py SEED OUT: writes a segment of random events, as docs/format.md 2 allows them and a little beyond: several
threads and tasks, frames that are left or never end, frames that take turns, collections, tool time, arguments, lines, marks, code
that was invalidated, lost definitions.
"""
import random
import struct
import sys


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return value << 1 if value >= 0 else (-value << 1) - 1


def numbers(*values):
    return b"".join(varint(value) for value in values)


def record(tag, payload):
    return varint(tag) + varint(len(payload)) + payload


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.n = {}
        self.definitions = []
        self.takes_turns = seed % 2 == 1
        self.next_instance = None

    def define(self, tag, payload):
        self.n[tag] = self.n.get(tag, 0) + 1
        self.definitions.append(record(tag, varint(self.n[tag]) + payload))
        return self.n[tag]

    def any(self, tag, spare=0):
        """An id of a kind; now and then one that is not defined, if `spare`."""
        return self.random.randint(1, self.n[tag] + (spare if self.random.random() < 0.02 else 0))

    def define_all(self):
        r = self.random
        for i in range(20):
            self.define(1, ("name%d\N{GREEK SMALL LETTER ALPHA}" % (i % 15)).encode())
        for i in range(6):
            self.define(2, numbers(self.any(1), r.randint(0, i), 1 if i == 0 else 0))
        for _ in range(6):
            self.define(3, numbers(self.any(1), 0))
        for _ in range(8):
            self.define(4, numbers(self.any(1), self.any(2), r.randint(0, 3), r.randint(0, 8191), 0, r.choice([0, self.any(1, 3)])))
        self.define(5, numbers(5))
        for _ in range(60):
            self.define_node()
        for _ in range(12):
            self.define(6, numbers(self.any(1), self.any(2), self.any(3), zigzag(r.randint(-5, 500)), r.randint(1, 1 << 40),
                                   r.choice([0, 0, 1, 4]), r.randint(0, 9), self.any(5)))
        for _ in range(30):
            if r.random() < 0.8:
                self.define(7, numbers(1, self.any(6, 3), self.any(5)))
            else:
                self.define(7, numbers(2, self.any(2), self.any(3), zigzag(r.randint(0, 50))))

        for _ in range(20):  # of some again, of some not
            self.definitions.append(record(9, numbers(self.any(7, 3), self.any(5, 3))))
        for _ in range(25):
            self.define(8, self.code())
        for _ in range(5):  # looked up later, or once more
            self.definitions.append(record(8, varint(self.any(8)) + self.code()))

    def code(self):
        r = self.random
        n = r.choice([0, 1, 1, 3])
        places = [numbers(self.any(1, 3), r.choice([0, self.any(3, 2)]), r.randint(0, 99), r.choice([0, self.any(7, 3)]),
                          r.randint(0, 15)) for _ in range(n)]
        return numbers(r.randint(1, 1 << 63), n) + b"".join(places)

    def define_node(self):
        r, node = self.random, lambda: self.any(5, 5)
        form = r.randint(1, 18)
        many = [node() for _ in range(r.randint(0, 3))]
        typevars = [i for i in range(len(self.nodes)) if self.nodes[i] == 4] if hasattr(self, "nodes") else []
        self.nodes = getattr(self, "nodes", [0, 5])
        payload = {
            1: lambda: numbers(self.any(4), r.randint(0, 3), len(many), *many),
            2: lambda: numbers(r.randint(0, 1), r.choice(typevars) if typevars else node(), node()),
            3: lambda: numbers(node(), node()),
            4: lambda: numbers(r.randint(0, 3), node(), node()),
            5: lambda: b"",
            6: lambda: numbers(r.choice([0, node()]), r.choice([0, node()])),
            7: lambda: numbers(node()) + r.randbytes(r.choice([1, 8])),
            8: lambda: numbers(self.any(1)),
            9: lambda: numbers(self.any(1), r.randint(1, 99)),
            10: lambda: numbers(node(), len(many), *many),
            11: lambda: numbers(node()),
            12: lambda: numbers(node()),
            13: lambda: numbers(self.any(2)),
            14: lambda: numbers(node(), len(many), *many),
            15: lambda: b"",
            16: lambda: numbers(node()),
            17: lambda: numbers(node(), self.any(1), r.randint(0, 1)),
            18: lambda: numbers(node(), self.any(1), self.any(2), r.randint(0, 1)),
        }[form]()
        self.nodes.append(form)
        self.define(5, varint(form) + payload)

    def events(self, n_threads, n_events):
        """Records by thread. Times run on for all threads together; a task may go from one to another."""
        r = self.random
        lanes = [{"out": [], "time": 2000, "task": 0} for _ in range(n_threads)]
        depth = {}
        now = 2000
        for _ in range(n_events):
            thread = r.randrange(n_threads)
            lane = lanes[thread]
            now += r.choice([1, 1, 2, 10, 1000])
            if r.random() < 0.05:
                lane["task"] = r.randint(1, 5)
                lane["out"].append((None, record(35, numbers(lane["task"]))))
            if r.random() < 0.05:
                lane["out"].append((None, record(38, numbers(self.any(3), r.randint(1, 99)))))
            key = lane["task"] or ("t", thread)
            tool = r.choice([0, 0, 1, 3, 40])
            lane["out"].append((now, self.event(key, depth, tool)))
        return [lane["out"] for lane in lanes]

    def instance(self):
        """Of a frame: the one that was told as invalidated, if it was."""
        instance, self.next_instance = self.next_instance or self.any(7, 3), None
        return instance

    def event(self, key, depth, tool):
        r = self.random
        open_frames = depth.get(key, 0)
        dice = r.random()
        if dice < 0.02:
            return 34, numbers(r.randint(1, open_frames + 1)), tool
        if dice < 0.04:
            return 36, numbers(r.choice([1, 5, 700])), tool
        if dice < 0.05:
            return 37, numbers(self.any(1)), tool
        if dice < 0.1:
            codes = [self.any(8, 3) for _ in range(r.choice([0, 1, 3, 30]))]
            return 40, numbers(len(codes), *codes, r.choice([0, 0, 1])), tool
        if dice < 0.11:
            return 200, b"unknown", None
        if dice < 0.14:
            instance = self.any(7, 3)
            self.next_instance = instance if r.random() < 0.8 else None
            return 42, numbers(instance, r.randint(1, 1 << 40)), None
        if dice < 0.25 and self.takes_turns:
            return 41, numbers(r.randint(0, max(open_frames - (r.random() < 0.95), 0))), tool
        if dice < 0.5 or open_frames == 0 and r.random() < 0.95:
            depth[key] = open_frames + 1
            flags = r.choice([0, 1, 2, 4, 512])
            if r.random() < 0.3:
                args = [(r.randint(1, 5), self.any(5, 3)) for _ in range(r.randint(0, 3))]
                return 32, numbers(self.instance(), flags | 1024, len(args), *[x for arg in args for x in arg]), tool
            return 32, numbers(self.instance(), flags), tool
        depth[key] = max(open_frames - 1, 0)
        return 33, numbers(r.choice([0, 0, 8])), tool


def pack(thread, sequence, base, records):
    body = b"".join(records)
    whole = (64 + len(body) + 4095) // 4096 * 4096
    head = struct.pack("<4sIIIQQQ24x", b"CHNK", whole, thread, sequence, len(body), base, 1000 + thread)
    return (head + body).ljust(whole, b"\0")


def chunks_of(thread, events, definitions, per_chunk):
    """Cuts the events of a thread into chunks; each begins anew with base_ns."""
    out, sequence, time, base, current = [], 0, 2000, 2000, list(definitions)
    for i, (now, what) in enumerate(events):
        if i % per_chunk == per_chunk - 1:
            out.append(pack(thread, sequence, base, current))
            sequence, base, current = sequence + 1, time, []
        if now is None:
            current.append(what)
            continue
        tag, payload, tool = what
        if tool is None:
            current.append(record(tag, payload))
            continue
        current.append(record(tag, numbers(now - time, tool) + payload))
        time = now
    out.append(pack(thread, sequence, base, current))
    return out


def make(seed):
    maker = Maker(seed)
    r = maker.random
    maker.define_all()
    n_threads = r.choice([1, 1, 2, 4])
    lanes = maker.events(n_threads, r.choice([3, 50, 400, 3000]))
    infos = {"argv": b"julia\0-e\0f()", "julia": b"1.5.3", "cwd": b"/nowhere"}
    definitions = [record(48, varint(len(key)) + key.encode() + value) for key, value in infos.items()]
    # Images that are not there; the second is shorter than its fields.
    definitions += [record(49, numbers(0, 1 << 47, 3) + b"id\0/nowhere/sys.so"), record(49, numbers(0, 1 << 47, 99))]
    definitions += [d for d in maker.definitions if r.random() > 0.01]  # some are lost
    end_ns = r.choice([0, 10**9])
    head = struct.pack("<8sIIIIQQQQQQQQQiIQII", b"SNPISEG1", 1, 4 if end_ns else 2, 1000 + seed, 1, 1000, 5, 1500, end_ns,
                       77, 5000, 6000, 0, 0, r.choice([0, 3]), r.choice([0, 1]), 9, 1, r.randint(0, 7))
    parts = []
    for thread, events in enumerate(lanes):
        parts.extend(chunks_of(thread, events, definitions if thread == n_threads - 1 else [], r.choice([7, 100, 1000])))
    r.shuffle(parts)
    return head.ljust(4096, b"\0") + b"".join(parts)


if __name__ == "__main__":
    with open(sys.argv[2], "wb") as file:
        file.write(make(int(sys.argv[1])))
