# SPDX-License-Identifier: MIT
"""What recording costs the recorded program, against the same program without.

    bench_record.py SNOOPI JULIA [PAIRS]

Runs each program in pairs, plain and recorded, in turn, and takes the median of the pairs' ratios of CPU time (user + system of the
whole command, so packing counts where it says "with packing"). Prints a table; the reference of each ratio is plain julia.
"""
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def cpu_of(command, environment):
    """CPU seconds and wall seconds of a command with all its children."""
    def now():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime, time.monotonic()

    before = now()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = now()
    return after[0] - before[0], after[1] - before[1]


def agent_environment(snoopi, folder):
    """The environment that `snoopi env` asks for: the agent alone, without the packing that `record` does."""
    lines = subprocess.check_output([snoopi, "env", "--dir", folder], text=True)
    script = lines + '\nprintf "%s\\n%s" "$LD_PRELOAD" "$SNOOPI_RECORD"'
    preload, record = subprocess.check_output(["sh", "-c", script], text=True).split("\n")
    return dict(os.environ, LD_PRELOAD=preload, SNOOPI_RECORD=record)


def median_ratio(pairs):
    ratios = sorted(b / a for a, b in pairs)
    return statistics.median(ratios), ratios[0], ratios[-1]


def paired(command, environment, n):
    pairs_cpu, pairs_wall = [], []
    for i in range(n):
        runs = {}
        order = ("plain", "recorded") if i % 2 == 0 else ("recorded", "plain")
        for kind in order:
            runs[kind] = cpu_of(command, environment if kind == "recorded" else dict(os.environ))
        pairs_cpu.append((runs["plain"][0], runs["recorded"][0]))
        pairs_wall.append((runs["plain"][1], runs["recorded"][1]))
    return pairs_cpu, pairs_wall


def share_of_tool(snoopi, julia, program, folder):
    trace = os.path.join(folder, "trace")
    subprocess.run([snoopi, "record", "-o", trace, julia, "--startup-file=no", program], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    info = json.loads(subprocess.check_output([snoopi, "info", "--format=json", trace]))
    process = info["processes"][0]
    frames = max(process["frames"], 1)
    print(f"  {frames:,} frames, inference {process['inference_ns'] / 1e9:.2f} s, tool {process['tool_ns'] / 1e6:.1f} ms = "
          f"{100 * process['tool_ns'] / process['inference_ns']:.2f} % of inference, "
          f"{process['tool_ns'] / frames:.0f} ns and {process['event_bytes'] / frames:.1f} bytes of events a frame, "
          f"agent start {process['agent_start_ns'] / 1e6:.2f} ms")


def main():
    snoopi, julia = sys.argv[1], sys.argv[2]
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    for title, arguments, times in (
            ("inference-bound program", [os.path.join(HERE, "inference_bound.jl")], n),
            ("examples/first_use.jl", [os.path.join(HERE, "..", "examples", "first_use.jl")], n),
            ("start-up, julia -e ''", ["-e", ""], n * 4)):
        with tempfile.TemporaryDirectory() as folder:
            environment = agent_environment(snoopi, folder)
            cpu, wall = paired([julia, "--startup-file=no", *arguments], environment, times)
            middle, low, high = median_ratio(cpu)
            print(f"{title}: recorded / plain julia, CPU time: {middle:.4f} (from {low:.4f} to {high:.4f}, {times} pairs); "
                  f"plain {statistics.median(a for a, _ in cpu):.3f} s; "
                  f"wall +{1000 * statistics.median(b - a for a, b in wall):.1f} ms")
            if arguments[0].endswith(".jl"):
                share_of_tool(snoopi, julia, arguments[0], folder)


if __name__ == "__main__":
    main()
