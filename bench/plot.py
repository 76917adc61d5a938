#!/usr/bin/env python3
"""Draws the benchmark's JSON as a bar chart: rates as parts of the device's copy rate, peers beside.

    bench/plot.py results.json results.svg

Needs gnuplot (Debian: gnuplot-nox) and nothing but Python's standard library. A bar is the median; the black line across it
is the target, where the row has one: a part of the copy rate, or so many times the rate of a peer or of the row's base.
"""
import json
import subprocess
import sys

COLOURS = {"Warpwise": "#1f5fa8", "base": "#9db8d6", "TBB": "#d98032", "Highway": "#6a9a4b", "NumPy": "#b8a13c"}
NAMES = {"base": "built-in or uniform"}
FONT = "DejaVu Sans,11"
BAR, GAP, HEADING = 14, 8, 30  # pixels


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
        entries = [e for e in row["entries"] if e["verified"]]
        for entry in entries:
            thickness = BAR if entry["who"] == "Warpwise" else BAR - 4
            bars.append((y, y + thickness, entry))
            y += thickness
        names.append((top + BAR / 2, row["name"]))
        if target_of(row) is not None:
            targets.append((target_of(row), top, top + BAR))
        y += GAP
    return bars, names, families, targets, y


def script(data, output):
    rows = [r for r in data["rows"] if r["calls"] == 1 and any(e["verified"] for e in r["entries"])]
    bars, names, families, targets, height = layout(rows)
    if not bars:
        sys.exit("plot.py: there is no row to draw")
    highest = max(max(e["of_copy"] for _, _, e in bars), max((t for t, _, _ in targets), default=0))
    library = data["library"]
    on_cpu = library.get("backend", "cpu") == "cpu"
    title = f"Warpwise {library['version']}: rates as parts of the copy rate ({data['copy']['gbps']:.1f} GB/s)"
    if on_cpu:
        title += f", {library['threads']} threads, {library['vector']}"
    measured = data["machine"]["cpu"] if on_cpu else library["device"]
    below = f"{measured}, {data['date']}. Numbers at the bars: million items a second."
    yield f"set terminal svg size 1080,{height + 150} font '{FONT}' background rgb 'white' noenhanced"
    yield f"set output {json.dumps(output, ensure_ascii=False)}"
    yield "set encoding utf8"
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
    for top, bottom, entry in bars:
        yield (f"set label \"{entry['mitems']:,.0f}\" at {entry['of_copy']:.6g}, first {(top + bottom) / 2} left "
               "offset 0.4,0 noenhanced font 'DejaVu Sans,8'")
    yield "set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb '#888888' dt 2"
    for at, top, bottom in targets:
        yield f"set arrow from {at:.6g}, first {top - 2} to {at:.6g}, first {bottom + 2} nohead lc rgb 'black' lw 1.5 front"
    drawn = [who for who in COLOURS if any(e["who"] == who for _, _, e in bars)]
    parts = [f"'-' using 1:2:3:4:5:6 with boxxyerror lc rgb '{COLOURS[who]}' title {json.dumps(NAMES.get(who, who))}"
             for who in drawn]
    if targets:
        parts.append("NaN with lines lc rgb 'black' lw 1.5 title 'target'")
    yield "plot " + ", ".join(parts)
    for who in drawn:
        for top, bottom, entry in bars:
            if entry["who"] == who:
                yield f"0 {(top + bottom) / 2} 0 {entry['of_copy']:.6g} {top} {bottom}"
        yield "e"


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plot.py results.json results.svg")
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    try:
        subprocess.run(["gnuplot"], input="\n".join(script(data, sys.argv[2])), text=True, check=True)
    except FileNotFoundError:
        sys.exit("plot.py: gnuplot is not installed (Debian: gnuplot-nox)")


main()
