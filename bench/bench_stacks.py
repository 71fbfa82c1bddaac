# SPDX-License-Identifier: MIT
"""What the native stack of a root costs the recorded process, by the number of methods that it has compiled.

    bench_stacks.py SNOOPI JULIA [METHODS…]

Reads the tool's own time off the events of the segment (docs/format.md 2.3), for the roots that root_stacks.jl makes: what its
begin took, stack included, and what its end took, which looks addresses up. The reference is what begin and end of
frames that are no roots took in the same process. Medians, since other programs run as well.
"""
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "..", "tests", "decoder"))
sys.dont_write_bytecode = True
import bench_record  # noqa: E402
import decode_segment  # noqa: E402

BEGIN, END, STACK = decode_segment.BEGIN, decode_segment.END, decode_segment.STACK


def events_of(path):
    """Events in order, and the name of each BEGIN's method; images are not looked into."""
    look_up, decode_segment.images.look_up = decode_segment.images.look_up, lambda definitions, images: None
    try:
        with open(path, "rb") as file:
            segment = decode_segment.Segment(file.read())
    finally:
        decode_segment.images.look_up = look_up
    return segment.events, segment.definitions


class Costs:
    """What begins and ends of frames without children took, in ns."""

    def __init__(self):
        self.begins, self.ends, self.codes = [], [], []

    def add(self, begin, end, after):
        # An event carries what the tool did since the one before it.
        self.begins.append(end.tool)
        self.ends.append(after.tool)
        self.codes.append(len(begin.stack[0]))

    def medians(self):
        return [int(statistics.median(values)) for values in (self.codes, self.begins, self.ends)]


def costs_of(events, definitions):
    """Costs by name: of the roots `known` and `fresh`, and of frames that are no roots."""
    costs = {"known": Costs(), "fresh": Costs(), "inner": Costs()}
    for before, begin, end, after in zip(events, events[1:], events[2:], events[3:]):
        if begin.tag == BEGIN and end.tag == END:
            name = definitions.instance(begin.fields[0])["name"] if before.tag == STACK else "inner"
            if name in costs:
                costs[name].add(begin, end, after)
    return costs


def measure(snoopi, julia, n_methods):
    """Medians of [codes of a stack, begin, end] by name."""
    folder = tempfile.mkdtemp(prefix="snoopi-stacks-")
    try:
        command = [julia, "--startup-file=no", os.path.join(HERE, "root_stacks.jl"), str(n_methods)]
        subprocess.run(command, env=bench_record.agent_environment(snoopi, folder), check=True, stdout=subprocess.DEVNULL)
        (segment,) = glob.glob(os.path.join(folder, "*.seg"))
        return {name: costs.medians() for name, costs in costs_of(*events_of(segment)).items()}
    finally:
        shutil.rmtree(folder)


def main():
    snoopi, julia = sys.argv[1:3]
    for n_methods in [int(word) for word in sys.argv[3:]] or [0, 1000, 10000]:
        print(n_methods, measure(snoopi, julia, n_methods))


if __name__ == "__main__":
    main()
