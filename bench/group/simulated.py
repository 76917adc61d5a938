#!/usr/bin/env python3
"""Draws what build/bench-group-simulated has written.

    bench/group/simulated.py simulated.csv simulated.svg

Needs nothing but Python's standard library."""
import csv
import html
import math
import sys

WIDTH, HEIGHT = 1140, 860
PANEL_WIDTH, PANEL_HEIGHT, LEFT, TOP = 300, 270, 70, 60
COLOURS = ("#1f5fa8", "#d98032", "#4f8a2c", "#8f5fa8", "#c05a5a")
FIRST, SECOND = "50 GB/s, 5 us, call 120 us", "50 GB/s, 5 us; call 10 us"


def text(x, y, what, size=11, anchor="start", weight="normal", colour="#333333"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
            f'fill="{colour}">{html.escape(what)}</text>')


def read(path):
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter=";"):
            yield {key: value if key in ("call", "scaling", "network") else float(value) for key, value in row.items()}


def series(rows, column, **wanted):
    return [(row["ranks"], row[column]) for row in rows if all(row[key] == value for key, value in wanted.items())]


def ticks(low, high):
    return [10.0 ** e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) if low <= 10.0 ** e <= high]


def panel(x, y, title, unit, lines, low, high, logarithmic, ideal=None):
    """Lines over the ranks, 1 to 1,024 and logarithmic."""
    def across(ranks):
        return x + PANEL_WIDTH * math.log2(ranks) / 10

    def up(value):
        value = min(max(value, low), high)
        part = math.log(value / low) / math.log(high / low) if logarithmic else (value - low) / (high - low)
        return y + PANEL_HEIGHT * (1 - part)

    yield text(x, y - 12, title, 12, weight="bold")
    for power in range(0, 11, 2):
        yield f'<line x1="{across(2 ** power):.1f}" y1="{y}" x2="{across(2 ** power):.1f}" y2="{y + PANEL_HEIGHT}" stroke="#dddddd"/>'
        yield text(across(2 ** power), y + PANEL_HEIGHT + 14, str(2 ** power), 10, "middle")
    for tick in ticks(low, high) if logarithmic else [k * high / 5 for k in range(6)]:
        yield f'<line x1="{x}" y1="{up(tick):.1f}" x2="{x + PANEL_WIDTH}" y2="{up(tick):.1f}" stroke="#dddddd"/>'
        yield text(x - 6, up(tick) + 4, f"{tick:g}", 10, "end")
    yield text(x + PANEL_WIDTH / 2, y + PANEL_HEIGHT + 30, f"ranks (GPUs); {unit}", 10, "middle")
    if ideal:
        points = " ".join(f"{across(2 ** p):.1f},{up(ideal(2 ** p)):.1f}" for p in range(11) if ideal(2 ** p) <= high)
        yield f'<polyline points="{points}" fill="none" stroke="#999999" stroke-dasharray="3 4"/>'
    for k, (name, points) in enumerate(lines):
        colour = COLOURS[k % len(COLOURS)]
        path = " ".join(f"{across(ranks):.1f},{up(value):.1f}" for ranks, value in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>'
        yield from (f'<circle cx="{across(ranks):.1f}" cy="{up(value):.1f}" r="2.2" fill="{colour}"/>' for ranks, value in points)
        yield f'<line x1="{x + PANEL_WIDTH + 10}" y1="{y + 10 + 17 * k}" x2="{x + PANEL_WIDTH + 26}" y2="{y + 10 + 17 * k}" stroke="{colour}" stroke-width="2"/>'
        yield text(x + PANEL_WIDTH + 31, y + 14 + 17 * k, name, 10)


def drawing(rows):
    calls = list(dict.fromkeys(row["call"] for row in rows))
    networks = list(dict.fromkeys(row["network"] for row in rows))
    right, below = LEFT + PANEL_WIDTH + 240, TOP + PANEL_HEIGHT + 110
    weak = [(call, series(rows, "efficiency or speedup", call=call, scaling="weak 2^30", network=FIRST)) for call in calls]
    strong = [(call, series(rows, "efficiency or speedup", call=call, scaling="strong 2^30", network=SECOND)) for call in calls]
    nets = [(net, series(rows, "ms", call="sort u32", scaling="weak 2^30", network=net)) for net in networks]
    parts = [(name, series(rows, column, call="sort u32", scaling="weak 2^30", network=FIRST))
             for name, column in (("all", "ms"), ("GPUs' own work", "work ms"), ("keys on the way", "data ms"), ("short messages", "messages ms"))]
    yield from panel(LEFT, TOP, f"Weak: 2^30 a GPU ({FIRST})", "one GPU's time / time", weak, 0, 1, False)
    yield from panel(right, TOP, f"Strong: 2^30 in all ({SECOND})", "one GPU's time / time; dashed: ideal", strong, 0.1, 1000, True,
                     lambda ranks: ranks)
    yield from panel(LEFT, below, "Sort, 2^30 u32 a GPU, by network", "ms", nets, 10, 10000, True)
    yield from panel(right, below, f"Sort, 2^30 u32 a GPU: parts ({FIRST})", "ms", parts, 0.1, 1000, True)
    yield text(LEFT, HEIGHT - 14, "Messages are the library's, counted in real runs of as many ranks; time is modelled: hosts of 8, rates between "
               "hosts a GPU, a GPU's work as an H100's. See README.md.", 10)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: simulated.py simulated.csv simulated.svg")
    rows = list(read(sys.argv[1]))
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="-apple-system, Segoe UI, Helvetica, DejaVu Sans, sans-serif">')
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *drawing(rows), "</svg>"]) + "\n")


main()
