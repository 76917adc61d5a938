#!/usr/bin/env python3
"""Draws the benchmark's JSON: a bar chart of rates as parts of the device's copy rate, peers beside; below it the studies' figures.

    bench/plot.py results.json results.svg

Needs gnuplot (Debian: gnuplot-nox) and nothing but Python's standard library. A bar is the median; the black line across it
is the target, where the row has one: a part of the copy rate, or so many times the rate of a peer or of the row's base.
A figure is a table of the JSON that is to be drawn: a line of it is a line over its columns, both axes logarithmic.
"""
import json
import subprocess
import sys

COLOURS = {"Warpwise": "#1f5fa8", "base": "#9db8d6", "TBB": "#d98032", "Highway": "#6a9a4b", "NumPy": "#b8a13c",
           "StringZilla": "#8f5fa8", "Hyperscan": "#c05a5a", "libc": "#5fa8a0"}
NAMES = {"base": "the row's base"}
FONT = "DejaVu Sans,11"
BAR, GAP, HEADING = 14, 8, 30  # pixels
WIDTH, AROUND, FIGURE = 1080, 150, 360  # of the drawing, around the bars, a figure's height


def target_of(row):
    """Where on the axis the row's target stands, or None."""
    target = row.get("target")
    if not target:
        return None
    if target["against"] == "copy":
        return target["ratio"]
    for entry in row["entries"]:
        if entry["who"] == target["against"] and entry["verified"]:
            return target["ratio"] * entry["of_copy"]
    return None


def layout(rows):
    """Bars, row names, family names and targets, each with its height from the top in pixels."""
    bars, names, families, targets = [], [], [], []
    y, family = 0, None
    for row in rows:
        if row["family"] != family:
            family = row["family"]
            y += HEADING
            families.append((y - 10, family))
        top = y
        entries = [e for e in row["entries"] if e["verified"] and e["who"] in COLOURS]
        for entry in entries:
            thickness = BAR if entry["who"] == "Warpwise" else BAR - 4
            bars.append((y, y + thickness, entry))
            y += thickness
        names.append((top + BAR / 2, row["name"]))
        if target_of(row) is not None:
            targets.append((target_of(row), top, top + BAR))
        y += GAP
    return bars, names, families, targets, y


def bars_script(data, rows, top, total):
    """The bar chart, in the part of the drawing from `top` pixels on."""
    bars, names, families, targets, height = layout(rows)
    highest = max(max(e["of_copy"] for _, _, e in bars), max((t for t, _, _ in targets), default=0))
    library = data["library"]
    on_cpu = library.get("backend", "cpu") == "cpu"
    title = f"Warpwise {library['version']}: rates as parts of the copy rate ({data['copy']['gbps']:.1f} GB/s)"
    if on_cpu:
        title += f", {library['threads']} threads, {library['vector']}"
    measured = data["machine"]["cpu"] if on_cpu else library["device"]
    below = f"{measured}, {data['date']}. Numbers at the bars: million items a second."
    yield from panel(0, top, 1, height + AROUND, total)
    yield f"set title {json.dumps(title, ensure_ascii=False)} noenhanced"
    yield f"set xlabel {json.dumps(below, ensure_ascii=False)} noenhanced"
    yield f"set xrange [0:{highest * 1.12:.6g}]"
    yield f"set yrange [{height}:0]"
    yield "set lmargin 48; set rmargin 4; set tmargin 5; set bmargin 5"
    yield "unset ytics; set xtics nomirror; set border 1; set grid xtics lc rgb '#dddddd' lt 1"
    yield "set style fill solid 1.0 noborder; set key tmargin left horizontal maxrows 1 reverse Left samplen 1"
    for y, name in names:
        yield f"set label {json.dumps(name, ensure_ascii=False)} at graph -0.01, first {y} right noenhanced"
    for y, name in families:
        yield f"set label {json.dumps(name)} at graph -0.01, first {y} right noenhanced font 'DejaVu Sans Bold,12'"
    for top_, bottom, entry in bars:
        yield (f"set label \"{entry['mitems']:,.0f}\" at {entry['of_copy']:.6g}, first {(top_ + bottom) / 2} left "
               "offset 0.4,0 noenhanced font 'DejaVu Sans,8'")
    yield "set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb '#888888' dt 2"
    for at, top_, bottom in targets:
        yield f"set arrow from {at:.6g}, first {top_ - 2} to {at:.6g}, first {bottom + 2} nohead lc rgb 'black' lw 1.5 front"
    drawn = [who for who in COLOURS if any(e["who"] == who for _, _, e in bars)]
    parts = [f"'-' using 1:2:3:4:5:6 with boxxyerror lc rgb '{COLOURS[who]}' title {json.dumps(NAMES.get(who, who))}"
             for who in drawn]
    if targets:
        parts.append("NaN with lines lc rgb 'black' lw 1.5 title 'target'")
    yield "plot " + ", ".join(parts)
    for who in drawn:
        for top_, bottom, entry in bars:
            if entry["who"] == who:
                yield f"0 {(top_ + bottom) / 2} 0 {entry['of_copy']:.6g} {top_} {bottom}"
        yield "e"


def panel(left, top, width, height, total):
    """A fresh plot in that part of the drawing; `width` of 1, the others in pixels from the top."""
    yield f"reset; set encoding utf8; set origin {left}, {1 - (top + height) / total:.6f}"
    yield f"set size {width}, {height / total:.6f}"


def figure_script(table, left, top, total):
    columns = range(len(table["columns"]))
    lines = [line for line in table["lines"] if any(v is not None for v in line["values"])]
    yield from panel(left, top, 0.5, FIGURE, total)
    yield f"set title {json.dumps(table['title'].replace(': ', ':' + chr(10), 1), ensure_ascii=False)} noenhanced font 'DejaVu Sans,9'"
    yield f"set xlabel {json.dumps(table['over'])} noenhanced; set ylabel {json.dumps(table['unit'])} noenhanced"
    yield "set xtics (" + ", ".join(f'"{table["columns"][c]}" {c}' for c in columns) + ") nomirror; set ytics nomirror"
    yield f"set xrange [-0.3:{len(columns) - 0.7}]; set logscale y; set border 3; set grid ytics lc rgb '#dddddd' lt 1"
    yield "set key outside right center Left reverse samplen 1 font 'DejaVu Sans,8' noenhanced; set lmargin 9"
    yield "plot " + ", ".join(f"'-' using 1:2 with linespoints pt 7 ps 0.4 lw 1.5 title {json.dumps(line['name'])}"
                              for line in lines)
    for line in lines:
        yield from (f"{c} {line['values'][c]}" for c in columns if line["values"][c] is not None)
        yield "e"


def script(data, output):
    rows = [r for r in data["rows"]
            if r["calls"] == 1 and not r.get("study") and any(e["verified"] and e["who"] in COLOURS for e in r["entries"])]
    figures = [t for t in data.get("tables", []) if t["drawn"]]
    if not rows and not figures:
        sys.exit(f"plot.py: {output} was not drawn: the results have no row with a bar of its own"
                 " and no table that is drawn as a figure")
    bars = layout(rows)[-1] + AROUND if rows else 0
    total = bars + (len(figures) + 1) // 2 * FIGURE
    yield f"set terminal svg size {WIDTH},{total} font '{FONT}' background rgb 'white' noenhanced"
    yield f"set output {json.dumps(output, ensure_ascii=False)}"
    yield "set multiplot"
    if rows:
        yield from bars_script(data, rows, 0, total)
    for i, table in enumerate(figures):
        yield from figure_script(table, i % 2 / 2, bars + i // 2 * FIGURE, total)
    yield "unset multiplot"


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plot.py results.json results.svg")
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    try:
        subprocess.run(["gnuplot"], input="\n".join(script(data, sys.argv[2])), text=True, check=True)
    except FileNotFoundError:
        sys.exit(f"plot.py: {sys.argv[2]} was not drawn: gnuplot is not installed (Debian: gnuplot-nox)")
    except subprocess.CalledProcessError as error:
        sys.exit(f"plot.py: {sys.argv[2]} was not drawn: gnuplot ended with {error.returncode}")


main()
