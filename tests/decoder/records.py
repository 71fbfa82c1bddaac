# SPDX-License-Identifier: MIT
"""Records and definitions, after docs/format.md 1. Part of the decoder that shares no code with libsnoopi."""


class Damage(Exception):
    """What format.md calls damage."""


def varint(data, at):
    """The unsigned LEB128 number at `at`, and the place behind it."""
    value = 0
    for i in range(10):
        if at >= len(data):
            raise Damage("number cut")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << (7 * i)
        if byte < 0x80:
            if value >= 1 << 64:
                raise Damage("number of more than 64 bits")
            return value, at
    raise Damage("number of more than 10 bytes")


def unzigzag(value):
    return (value >> 1) ^ -(value & 1)


class Fields:
    """Reads the fields of a payload one after the other."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def number(self):
        value, self.at = varint(self.data, self.at)
        return value

    def id(self):
        value = self.number()
        if value >= 1 << 32:
            raise Damage("id of more than 32 bits")
        return value

    def signed(self):
        return unzigzag(self.number())

    def numbers(self, n):
        return tuple(self.id() for _ in range(n))

    def bytes(self, n):
        if self.at + n > len(self.data):
            raise Damage("bytes cut")
        self.at += n
        return self.data[self.at - n : self.at]

    def sized(self, n):
        """n numbers behind a word whose hexadecimal digits, lowest first, are their sizes in bytes."""
        sizes = int.from_bytes(self.bytes((n + 1) // 2), "little")
        sizes = [sizes >> 4 * i & 15 for i in range(n)]
        if max(sizes) > 8:
            raise Damage("number of more than 8 bytes")
        return [int.from_bytes(self.bytes(size), "little") for size in sizes]

    def rest(self):
        return self.bytes(len(self.data) - self.at)


def records(data, at=0, end=None):
    """Yields (tag, payload, size of the whole record). A torn or unwritten record raises Damage."""
    end = len(data) if end is None else end
    while at < end:
        begin = at
        tag, at = varint(data, at)
        size, at = varint(data, at)
        if tag == 0 or at + size > end:
            raise Damage("torn record at byte %d" % begin)
        at += size
        yield tag, data[at - size : at], at - begin


KINDS = {1: "string", 2: "module", 3: "file", 4: "typename", 5: "node", 6: "method", 7: "instance", 8: "code"}

RESULT = 9

# Fields of a node by form: s string, m module, t typename, n node, k list of nodes, f number, b bytes.
FORMS = {
    1: "tfk", 2: "fnn", 3: "nn", 4: "snn", 5: "", 6: "nn", 7: "nb", 8: "s", 9: "sf", 10: "nk",
    11: "n", 12: "n", 13: "m", 14: "nk", 15: "", 16: "n", 17: "nsf", 18: "nsmf",
}
CUT = (15,)
UNIONALL = 2
ALIAS = 18
TYPEVAR = 4
UNION = 3


def node(fields):
    """A node as (form, field…)."""
    form = fields.number()
    out = [form]
    for kind in FORMS.get(form, ""):
        if kind == "k":
            out.append(fields.numbers(fields.id()))
        elif kind == "b":
            out.append(fields.rest())
        elif kind == "f":
            out.append(fields.number())
        else:
            out.append(fields.id())
    return tuple(out)


def definition(tag, payload):
    """(kind, id, contents) of a definition record."""
    fields = Fields(payload)
    number = fields.id()
    kind = KINDS[tag]
    if kind == "string":
        contents = fields.rest()
    elif kind == "module":
        contents = (fields.id(), fields.id(), fields.number())
    elif kind == "file":
        contents = (fields.id(), fields.id())
    elif kind == "typename":
        contents = (fields.id(), fields.id(), fields.id(), fields.number())
    elif kind == "node":
        contents = node(fields)
    elif kind == "method":
        contents = (fields.id(), fields.id(), fields.id(), fields.signed(), fields.number(),
                    fields.number(), fields.id(), fields.id())
    elif kind == "code":
        address, n = fields.number(), fields.id()
        contents = (address, [(fields.numbers(4) + (fields.number(),)) for _ in range(n)])
    else:
        what = fields.number()
        if what == 1:
            contents = (1, fields.id(), fields.id())
        elif what == 2:
            contents = (2, fields.id(), fields.id(), fields.signed())
        else:
            contents = (what,)
    return kind, number, contents


def kids(contents):
    """Ids of the nodes in a node."""
    out = []
    for kind, field in zip(FORMS.get(contents[0], ""), contents[1:]):
        if kind == "n":
            out.append(field)
        elif kind == "k":
            out.extend(field)
    return out


class Definitions:
    """Definitions by kind and id."""

    def __init__(self):
        self.of = {kind: {} for kind in KINDS.values()}
        self.results = {}  # node, by instance

    def result(self, payload):
        fields = Fields(payload)
        instance, node = fields.id(), fields.id()
        self.results[instance] = node

    def result_text(self, node):
        return self.node_text(node) if node else "0"

    def text(self, string):
        return self.of["string"].get(string, b"").decode("latin-1")

    def module(self, module):
        names = []
        while module in self.of["module"]:
            name, parent, _ = self.of["module"][module]
            names.append(self.text(name))
            module = parent if parent < module else 0
        return ".".join(reversed(names))

    def raw_file(self, file):
        return self.text(self.of["file"][file][0]) if file in self.of["file"] else ""

    def instance(self, number):
        """Name, module, file, line and world of an instance."""
        contents = self.of["instance"].get(number, (1, 0, 0))
        if contents[0] == 2:
            _, module, file, line = contents
            return {"name": "", "module": self.module(module), "raw_file": self.raw_file(file), "line": line,
                    "method_world": 0}
        method = self.of["method"].get(contents[1], (0,) * 8) if contents[0] == 1 else (0,) * 8
        return {"name": self.text(method[0]), "module": self.module(method[1]), "raw_file": self.raw_file(method[2]),
                "line": method[3], "method_world": method[4]}

    def code_text(self, number):
        """A place in machine code as text, for comparing."""
        if number not in self.of["code"]:
            return ""
        address, places = self.of["code"][number]
        out = [str(address)]
        for name, file, line, instance, flags in places:
            of = ""
            if instance in self.of["instance"]:
                of = " %(name)s %(module)s %(line)d" % self.instance(instance)
            out.append("%s@%s:%d/%d%s" % (self.text(name), self.raw_file(file), line, flags & 15, of))
        return "; ".join(out)

    def node_text(self, number, depth=4):
        """A node as text, for comparing: form and fields, to some depth."""
        if depth == 0:
            return "_"
        contents = self.of["node"].get(number)
        if contents is None:
            return "?"
        out = [str(contents[0])]
        for kind, field in zip(FORMS.get(contents[0], ""), contents[1:]):
            if kind == "n":
                out.append(self.node_text(field, depth - 1) if field else "0")
            elif kind == "k":
                out.extend(self.node_text(kid, depth - 1) for kid in field)
            elif kind == "s":
                out.append(self.text(field))
            elif kind == "m":
                out.append(self.module(field))
            elif kind == "t":
                out.append(self.text(self.of["typename"].get(field, (0,))[0]))
            elif kind == "b":
                out.append(field.hex())
            else:
                out.append(str(field))
        return "(" + " ".join(out) + ")"


FLAGS = ["constprop", "semiconcrete", "nested", "cycle", "aborted", "unfinished", "generator", "toplevel",
         "repeated", "tooling"]
ARGS = 1024
FLAG = {name: 1 << i for i, name in enumerate(FLAGS)}
FLAG["invalidated"] = 2048


def flag_names(flags):
    return [name for name, bit in FLAG.items() if flags & bit]
