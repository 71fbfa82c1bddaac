# SPDX-License-Identifier: MIT
"""A picture of how cost and memory grow: two log-log charts in one SVG, without any library."""
import html
import math

WIDTH, HEIGHT, LEFT, TOP, CHART_W, CHART_H, GAP = 980, 420, 70, 50, 330, 290, 60
COLOURS = ("#444444", "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b")


def axis(values):
    """Powers of ten around the values."""
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)) - 1e-9)


def label(value, unit):
    if unit == "ns":
        return f"{value / 1e6:g} ms" if value >= 1e6 else f"{value / 1e3:g} µs" if value >= 1e3 else f"{value:g} ns"
    for name, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= factor:
            return f"{value / factor:g} {name}{unit}"
    return f"{value:g} {unit}"


def chart(left, title, unit, lines):
    xs = [x for points in lines.values() for x, _ in points]
    ys = [y for points in lines.values() for _, y in points]
    (x0, x1), (y0, y1) = axis(xs), axis(ys)
    x1, y1 = max(x1, x0 + 1), max(y1, y0 + 1)

    def px(x):
        return left + CHART_W * (math.log10(x) - x0) / (x1 - x0)

    def py(y):
        return TOP + CHART_H * (1 - (math.log10(y) - y0) / (y1 - y0))

    parts = [f'<text x="{left}" y="{TOP - 18}" class="title">{html.escape(title)}</text>']
    for k in range(x0, x1 + 1):
        x = px(10 ** k)
        parts.append(f'<path d="M{x:.1f} {TOP}V{TOP + CHART_H}" class="grid"/>'
                     f'<text x="{x:.1f}" y="{TOP + CHART_H + 18}" text-anchor="middle">10^{k}</text>')
    for k in range(y0, y1 + 1):
        y = py(10 ** k)
        parts.append(f'<path d="M{left} {y:.1f}H{left + CHART_W}" class="grid"/>'
                     f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{label(10.0 ** k, unit)}</text>')
    for name, points in lines.items():
        colour = COLOURS[NAMES.index(name) % len(COLOURS)]
        path = " ".join(f"{'ML'[i > 0]}{px(x):.1f} {py(y):.1f}" for i, (x, y) in enumerate(points))
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3" fill="{colour}"/>' for x, y in points]
    parts.append(f'<text x="{left + CHART_W / 2}" y="{TOP + CHART_H + 38}" text-anchor="middle">frames</text>')
    return parts


NAMES = []


def picture(series):
    """`series`: name → list of (frames, ns a frame, bytes of memory or None)."""
    NAMES[:] = list(series)
    cost = {name: [(n, ns) for n, ns, _ in points] for name, points in series.items()}
    memory = {name: found for name, points in series.items() if (found := [(n, m) for n, _, m in points if m])}
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             "<style>.grid{stroke:#ddd}.title{font-size:14px;font-weight:bold}</style>",
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    parts += chart(LEFT, "CPU time a frame", "ns", cost)
    if memory:
        parts += chart(LEFT + CHART_W + GAP + 20, "most memory", "B", memory)
    for i, name in enumerate(NAMES):
        y = TOP + 8 + 20 * i
        parts.append(f'<rect x="{WIDTH - 170}" y="{y - 8}" width="12" height="4" fill="{COLOURS[i % len(COLOURS)]}"/>'
                     f'<text x="{WIDTH - 152}" y="{y}">{html.escape(name)}</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
