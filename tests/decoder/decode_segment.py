# SPDX-License-Identifier: MIT
"""
Segments, after docs/format.md 2: puts frames together in its own way. All events are collected and sorted, frames are
objects in a tree, and collections are charged by comparing each with each: slow and plain.
"""
import re
import struct

import images
from records import (ALIAS, ARGS, CUT, FLAG, FORMS, RESULT, TYPEVAR, UNION, UNIONALL, Damage, Definitions, Fields, definition, flag_names, kids,
                     records)

BEGIN, END, ABORT, TASK, GC, MARK, LINE, CLOSE, STACK, RUN, INVALIDATED = range(32, 43)
INFO, IMAGE = 48, 49
GENERATOR_NAME = re.compile(r"#+s[0-9]+#[0-9]+\Z")
FROM_BEGIN = FLAG["constprop"] | FLAG["semiconcrete"] | FLAG["nested"] | FLAG["tooling"]


def chunks(data):
    """(thread, sequence, base_ns, records from, to) of each chunk."""
    at = 4096
    out = []
    while at + 64 <= len(data) and data[at : at + 4] == b"CHNK":
        size, thread, sequence, used, base = struct.unpack_from("<IIIQQ", data, at + 4)
        if size < 4096 or size % 4096:
            break
        whole = min(size, len(data) - at)
        out.append((thread, sequence, at + 64, base, at + 64 + min(used, whole - 64)))
        at += whole
    return sorted(out)


class Event:
    def __init__(self, tag, thread, time, task, line):
        self.tag, self.thread, self.time, self.task, self.line = tag, thread, time, task, line
        self.tool = 0
        self.charged = None  # the task that was current at the thread's event before
        self.fields = None


class Frame:
    def __init__(self, event, parent):
        self.begin = event.time
        self.ran = []  # [from, to]: the times in which it ran
        self.event = event
        self.parent = parent
        self.children = []
        self.tool = 0
        self.flags = 0
        self.instance = 0
        self.args = []


class Task:
    def __init__(self):
        self.open = []  # in order of begin
        self.runs = None
        self.time = 0

    def run_until(self, time):
        if self.runs:
            self.runs.ran.append((self.time, time))
        self.time = time

    def close(self, flags):
        frame = self.open.pop()
        frame.flags |= flags
        if self.runs is frame:
            self.runs = frame.parent


class Segment:
    def __init__(self, data):
        self.head = dict(zip(
            ("version", "state", "pid", "ppid", "begin_ns", "begin_real_ns", "awake_ns", "end_ns", "agent_start_ns",
             "world_begin", "world_end", "dropped_frames", "dropped_records", "exit_value", "exit_kind", "tool_other_ns",
             "hook", "flags"),
            struct.unpack_from("<IIIIQQQQQQQQQiIQII", data, 8)))
        self.head["reason"] = data[256:512].split(b"\0")[0].decode("latin-1")
        self.size = len(data)
        self.definitions = Definitions()
        self.info = {}
        self.images = []
        self.events = []
        self.event_bytes = 0
        self.read(data)
        images.look_up(self.definitions, self.images)
        self.events.sort(key=lambda event: (event.time, event.thread))  # stable: order within a thread stays
        self.last = max([self.head["begin_ns"], self.head["end_ns"]] + [event.time for event in self.events])
        self.roots = []
        self.tasks = {}
        self.outside_tool = 0
        self.marks = []
        self.invalidated = []  # (instance, world)

    # --- reading ---

    def read(self, data):
        state = {}
        for thread, _, begin, base, end in chunks(data):
            lane = state.setdefault(thread, {"time": 0, "task": 0, "line": (0, 0), "charged": None})
            lane["time"] = max(lane["time"], base)
            try:
                for tag, payload, size in records(data, begin, end):
                    self.record(lane, thread, tag, payload, size)
            except Damage:
                pass  # the rest of the chunk is lost
        self.current = [(lane["task"], thread if lane["task"] == 0 else -1) for thread, lane in state.items()]

    def record(self, lane, thread, tag, payload, size):
        fields = Fields(payload)
        if tag <= 8:
            try:
                kind, number, contents = definition(tag, payload)
                if kind == "code" and not contents[1] and number in self.definitions.of[kind]:
                    return
                self.definitions.of[kind][number] = contents
            except Damage:
                pass
        elif tag == RESULT:
            try:
                self.definitions.result(payload)
            except Damage:
                pass
        elif tag == INFO:
            key = fields.bytes(fields.number())
            self.info[key.decode("latin-1")] = fields.rest().decode("latin-1")
        elif tag == IMAGE:
            try:
                base, size = fields.number(), fields.number()
                fields.bytes(fields.number())
                self.images.append((base, size, fields.rest().decode("latin-1")))
            except Damage:
                pass
        elif tag in (TASK, LINE):
            if tag == TASK:
                lane["task"] = fields.id()
            else:
                lane["line"] = (fields.id(), fields.id())
            self.event_bytes += size
        elif tag == INVALIDATED:
            lane["invalidated"] = fields.id(), fields.number()
            self.event_bytes += size
        elif BEGIN <= tag <= RUN:
            time = lane["time"] + fields.number()
            task = (lane["task"], thread if lane["task"] == 0 else -1)
            event = Event(tag, thread, time, task, lane["line"])
            event.tool = fields.number()
            event.fields = [fields.number() for _ in range({BEGIN: 2, END: 1, ABORT: 1, GC: 1, MARK: 1, RUN: 1}.get(tag, 0))]
            if tag == BEGIN and event.fields[1] & ARGS:
                event.fields.append([(fields.id(), fields.id()) for _ in range(fields.id())])
            if tag == STACK:
                lane["stack"] = [fields.id() for _ in range(fields.id())], fields.number()
            if tag == BEGIN:
                event.stack = lane.pop("stack", ([], 0))
                event.invalidated = lane.pop("invalidated", (0, 0))
            event.charged = lane["charged"]
            lane["charged"] = task
            lane["time"] = time
            self.events.append(event)
            self.event_bytes += size

    # --- one numbering of equal definitions ---

    def unify(self):
        """Numbers nodes and instances so that equal ones are one. Lost nodes become CUT."""
        of = self.definitions.of
        nodes = of["node"]
        inside, conflicts = {}, {}
        for number in sorted(nodes):
            contents = nodes[number]
            below = kids(contents)
            needed = [kid for kid in below if kid or contents[0] != 6]
            known = all(kid in inside and kid < number for kid in needed)
            named = all(self.is_named(kind, field, contents[0])
                        for kind, field in zip(FORMS.get(contents[0], ""), contents[1:]))
            if not known or not named or (contents[0] == UNIONALL and nodes[contents[2]][0] != TYPEVAR):
                contents = nodes[number] = CUT
                below = []
            variables = set().union(*(inside.get(kid, ()) for kid in below))
            if contents[0] == TYPEVAR:
                variables.add(number)
            if contents[0] == UNIONALL:
                mine, body = contents[2], contents[3]
                for other in inside[body]:
                    if other != mine and self.definitions.text(nodes[other][1]) == self.definitions.text(nodes[mine][1]):
                        conflicts.setdefault(max(mine, other), set()).add(min(mine, other))
            inside[number] = sorted(variables)[:64]
        ranks = {}
        for number in sorted(conflicts):
            taken = {ranks.get(other, 0) for other in conflicts[number]}
            ranks[number] = next(rank for rank in range(len(taken) + 1) if rank not in taken)
        declared = set()
        for number, contents in nodes.items():
            mark, at = "", 0
            if contents[0] == UNIONALL and contents[1] & 1:
                mark, at = "type", number
            elif contents[0] == ALIAS:
                mark, at, last = "alias", contents[1], contents[1]
                while nodes[last][0] == UNIONALL:
                    last = nodes[last][3]
                if nodes[last][0] == UNION:
                    mark = "union alias"
            while at and nodes[at][0] == UNIONALL:
                declared.add((nodes[at][2], mark))
                at = nodes[at][3]
        known, self.node_ids = {}, {0: 0}
        for number in sorted(nodes):
            key = tuple(self.unified(kind, field) for kind, field in zip("f" + FORMS.get(nodes[number][0], ""),
                                                                        nodes[number]))
            self.node_ids[number] = known.setdefault(
                (key, ranks.get(number, 0), *((number, mark) in declared for mark in ("type", "alias", "union alias"))), len(known) + 1)
        self.lost_node = known.setdefault((CUT, 0, False, False, False), len(known) + 1)
        known, self.instance_ids = {}, {}
        for number in sorted(of["instance"]):
            contents = of["instance"][number]
            if contents[0] == 1:
                method = of["method"].get(contents[1])
                key = (self.method_key(method), self.node_ids.get(contents[2], 0))
            elif contents[0] == 2:
                key = (self.definitions.module(contents[1]), self.definitions.raw_file(contents[2]), contents[3])
            else:
                key = contents
            self.instance_ids[number] = known.setdefault((contents[0], key), len(known) + 1)
        self.results = {}  # by the id that equal instances share; of several the last
        for number in sorted(of["instance"]):
            node = self.definitions.results.get(number, 0)
            if node in nodes:
                self.results[self.instance_ids[number]] = node

    def is_named(self, kind, field, form):
        names = {"s": "string", "m": "module", "t": "typename"}
        if kind not in names or (kind == "s" and field == 0 and form == TYPEVAR):
            return True
        return field in self.definitions.of[names[kind]]

    def unified(self, kind, field):
        if kind == "n":
            return self.node_ids[field]
        if kind == "k":
            return tuple(self.node_ids[kid] for kid in field)
        if kind == "s":
            return self.definitions.text(field)
        if kind == "m":
            return self.definitions.module(field)
        if kind == "t":
            name, module, mt_name, flags = self.definitions.of["typename"][field]
            return (self.definitions.text(name), self.definitions.module(module), self.definitions.text(mt_name), flags)
        return field

    def method_key(self, method):
        if method is None:
            return None
        name, module, file, line, world, flags, nargs, sig = method
        return (self.definitions.text(name), self.definitions.module(module), self.definitions.raw_file(file), line, world,
                flags, nargs, self.node_ids.get(sig, 0))

    # --- frames ---

    def replay(self):
        self.unify()
        self.seen = set()
        for event in self.events:
            if event.tag != ABORT:
                self.charge(event)
            task = self.tasks.setdefault(event.task, Task())
            if event.tag == BEGIN:
                task.run_until(event.time)
                self.begin(event, task)
            elif event.tag == END and task.open:
                task.run_until(event.time)
                task.close(event.fields[0] & FLAG["cycle"])
            elif event.tag == ABORT:
                for _ in range(min(event.fields[0], len(task.open))):
                    task.close(FLAG["aborted"])
                self.charge(event)
            elif event.tag == MARK:
                self.marks.append((event.time, event.fields[0]))
            elif event.tag == RUN and event.fields[0] < len(task.open):
                task.run_until(event.time)
                task.runs = task.open[-1 - event.fields[0]]
            task.run_until(event.time)
        is_whole = not (self.head["dropped_frames"] or self.head["dropped_records"])
        for key, task in self.tasks.items():
            while task.open:
                if key in self.current and is_whole:
                    task.run_until(self.last)
                    task.close(FLAG["unfinished"])
                else:
                    task.close(FLAG["aborted"])

    def charge(self, event):
        task = self.tasks.get(event.charged)
        if task and task.runs:
            task.runs.tool += event.tool
        else:
            self.outside_tool += event.tool

    def begin(self, event, task):
        frame = Frame(event, task.runs)
        (task.runs.children if task.runs else self.roots).append(frame)
        local, flags = event.fields[:2]
        args = event.fields[2] if len(event.fields) > 2 else []
        frame.instance = self.instance_ids.get(local, 0)
        frame.local = local
        frame.flags = flags & FROM_BEGIN
        frame.args = [(position, node if node in self.definitions.of["node"] else None) for position, node in args]
        contents = self.definitions.of["instance"].get(local)
        if contents and contents[0] == 2:
            frame.flags |= FLAG["toplevel"]
        elif contents:
            method = self.definitions.of["method"].get(contents[1]) if contents[0] == 1 else None
            frame.flags |= FLAG["generator"] if method and self.is_generator(method) else 0
            key = (frame.instance, tuple((position, self.node_ids.get(node, self.lost_node)) for position, node in frame.args))
            frame.flags |= FLAG["repeated"] if key in self.seen else 0
            self.seen.add(key)
        if event.invalidated[0] and event.invalidated[0] == local:
            frame.flags |= FLAG["invalidated"]
            self.invalidated.append((local, event.invalidated[1]))
        task.open.append(frame)
        task.runs = frame

    def is_generator(self, method):
        return method[5] & 4 or GENERATOR_NAME.match(self.definitions.text(method[0]))

    def collections(self):
        """The union of all collections."""
        spans = sorted((max(event.time - event.fields[0], 0), event.time) for event in self.events if event.tag == GC)
        out = []
        for begin, end in spans:
            if out and begin <= out[-1][1]:
                out[-1][1] = max(out[-1][1], end)
            else:
                out.append([begin, end])
        return out

    def sum_up(self, frame, collections):
        """Sets self, total, gc, begin and end of a frame and all below it, without recursion."""
        order = [frame]
        for f in order:
            order.extend(f.children)
        for f in reversed(order):
            own = sum(end - begin for begin, end in f.ran)
            tool = min(f.tool, own)
            self.outside_tool += f.tool - tool
            f.self = own - tool
            f.total = f.self + sum(child.total for child in f.children)
            overlap = sum(max(0, min(e, end) - max(b, begin)) for b, e in f.ran for begin, end in collections)
            f.gc = min(overlap, f.self)
            f.span = own + sum(child.span for child in f.children)
        frame.end = frame.begin + frame.span
        for f in order:
            free = f.begin
            for i, child in enumerate(f.children):
                latest = f.end - sum(other.span for other in f.children[i:])
                child.begin = max(free, min(child.begin, latest))
                free = child.end = child.begin + child.span


def exit_of(head):
    return (head["exit_kind"], head["exit_value"]) if head["exit_kind"] in (1, 2) else (0, 0)


def busy(roots):
    total, until = 0, None
    for root in roots:
        if until is None or root.begin > until:
            total, until = total + root.end - root.begin, root.end
        elif root.end > until:
            total, until = total + root.end - until, root.end
    return total


def process_row(segment, frames):
    head = segment.head
    tool_other = head["tool_other_ns"] + head["agent_start_ns"]
    wall = segment.last - head["begin_ns"]
    busy_ns = busy(segment.roots)
    kind, value = exit_of(head)
    row = {"row": "process", "index": 0, "parent": 0}
    for name in ("pid", "ppid", "begin_ns", "begin_real_ns", "agent_start_ns", "world_begin", "world_end",
                 "dropped_frames", "dropped_records", "hook", "flags", "reason"):
        row[name] = head[name]
    row.update({
        "wall_ns": wall, "segment_bytes": segment.size, "event_bytes": segment.event_bytes, "exit_kind": kind,
        "exit_value": value, "frames": len(frames), "roots": len(segment.roots),
        "inference_ns": sum(root.total for root in segment.roots), "busy_ns": busy_ns,
        "tool_ns": sum(event.tool for event in segment.events) + tool_other, "gc_ns": sum(f.gc for f in frames),
        "instances": len({f.instance for f in frames}),
        "outside_ns": max(0, wall - busy_ns - segment.outside_tool - tool_other),
    })
    for key, name in (("argv", "argv"), ("julia", "julia"), ("bindir", "bindir"), ("cwd", "cwd"), ("exe", "exe"),
                      ("hook", "hook_text"), ("compile", "compile")):
        row[name] = segment.info.get(key, "")
    return row


def frame_row(segment, frame, number, numbers, root, depth):
    d = segment.definitions
    row = {"row": "frame", "id": number, "parent": numbers.get(id(frame.parent)), "depth": depth, "process": 0,
           "thread": root.event.thread, "task": root.event.task[0]}
    row.update(d.instance(frame.local))
    args = [[position, d.node_text(node) if node is not None else "(15)"] for position, node in frame.args]
    row.update({"begin_ns": frame.begin, "end_ns": frame.end, "total_ns": frame.total, "self_ns": frame.self,
                "gc_ns": frame.gc, "flags": flag_names(frame.flags), "instance": frame.instance, "args": args,
                "result": d.result_text(segment.results.get(frame.instance, 0)),
                "top_file": d.raw_file(root.event.line[0]), "top_line": root.event.line[1],
                "stack": [d.code_text(code) for code in frame.event.stack[0]] if depth == 0 else [],
                "stack_cut": int(depth == 0 and frame.event.stack[0] != [] and frame.event.stack[1] & 1)})
    return row


def decode(data):
    """Yields the process, the marks and the frames of a segment, as they are in a trace that is packed of it."""
    segment = Segment(data)
    if segment.head["version"] != 1:
        raise Damage("not a segment of version 1")
    segment.replay()
    collections = segment.collections()
    order = []
    for root in segment.roots:
        segment.sum_up(root, collections)
        pending = [(root, 0)]
        while pending:
            frame, depth = pending.pop()
            order.append((frame, root, depth))
            pending.extend((child, depth + 1) for child in reversed(frame.children))
    yield process_row(segment, [frame for frame, _, _ in order])
    for time, name in segment.marks:
        yield {"row": "mark", "process": 0, "time_ns": time, "name": segment.definitions.text(name)}
    for instance, world in segment.invalidated:
        yield {"row": "invalidated", "process": 0, **segment.definitions.instance(instance), "world": world}
    numbers = {}
    for number, (frame, root, depth) in enumerate(order):
        numbers[id(frame)] = number
        yield frame_row(segment, frame, number, numbers, root, depth)
