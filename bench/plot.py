#!/usr/bin/env python3
"""Draws the benchmark's JSON: a bar chart of rates as parts of the device's copy rate, peers beside; below it the studies' figures.

    bench/plot.py results.json results.svg
    bench/plot.py one-device.json another.json … devices.svg

Of several files, each of another device as a rule, only figures are drawn: those of the same title as one, whose lines have
the device's name behind their own, and whose columns are joined by name. Needs gnuplot (Debian: gnuplot-nox) and nothing but Python's standard library. A bar is the median; the black line across it
is the target, where the row has one: a part of the copy rate, or so many times the rate of a peer or of the row's base.
A figure is a table of the JSON that is to be drawn: a line of it is a line over its columns, both axes logarithmic.
"""
import json
import re
import subprocess
import sys

COLOURS = {"Warpwise": "#1f5fa8", "base": "#9db8d6", "TBB": "#d98032", "Highway": "#6a9a4b", "NumPy": "#b8a13c",
           "StringZilla": "#8f5fa8", "Hyperscan": "#c05a5a", "libc": "#5fa8a0", "Abseil": "#d377b5", "robin_map": "#8c6d4f",
           "libcuckoo": "#7a7a7a"}
NAMES = {"base": "the row's base"}
FONT = "DejaVu Sans,11"
BAR, GAP, HEADING = 14, 8, 30  # pixels
WIDTH, AROUND, FIGURE = 1080, 150, 360  # of the drawing, around the bars, a figure's height
POINTS = (7, 5, 9, 13, 11)  # gnuplot's, a device each
LINES = ("#1f5fa8", "#d98032", "#6a9a4b", "#c05a5a", "#8f5fa8", "#8c6d4f", "#d377b5", "#7a7a7a", "#b8a13c", "#3fb0b8")


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


def beside_theory(lines):
    """What a theorem says of a line is dashed, in that line's colour. Lines without theorems are left as they are."""
    theory = ": theorem"
    if not any(line["name"].endswith(theory) for line in lines):
        return lines
    measured = [line["name"] for line in lines if not line["name"].endswith(theory)]
    colours = {name: LINES[i % len(LINES)] for i, name in enumerate(measured)}
    return [{"style": f"lc rgb '{colours.get(line['name'].removesuffix(theory), LINES[-1])}' "
                      f"{'dt 2 pt 6' if line['name'].endswith(theory) else 'pt 7'}", **line} for line in lines]


def figure_script(table, left, top, width, total):
    columns = range(len(table["columns"]))
    lines = beside_theory([line for line in table["lines"] if any(v is not None for v in line["values"])])
    yield from panel(left, top, width, FIGURE, total)
    yield f"set title {json.dumps(table['title'].replace(': ', ':' + chr(10), 1), ensure_ascii=False)} noenhanced font 'DejaVu Sans,9'"
    yield f"set xlabel {json.dumps(table['over'])} noenhanced; set ylabel {json.dumps(table['unit'])} noenhanced"
    yield "set xtics (" + ", ".join(f'"{table["columns"][c]}" {c}' for c in columns) + ") nomirror; set ytics nomirror"
    yield f"set xrange [-0.3:{len(columns) - 0.7}]; set logscale y; set border 3; set grid ytics lc rgb '#dddddd' lt 1"
    yield "set key outside right center Left reverse samplen 1 font 'DejaVu Sans,8' noenhanced; set lmargin 9"
    yield "plot " + ", ".join(f"'-' using 1:2 with linespoints {line.get('style', 'pt 7')} ps 0.4 lw 1.5 "
                              f"title {json.dumps(line['name'])}" for line in lines)
    for line in lines:
        yield from (f"{c} {line['values'][c]}" for c in columns if line["values"][c] is not None)
        yield "e"


def figures_of(data):
    return [t for t in data.get("tables", []) if t["drawn"]]


def not_drawn(output):
    sys.exit(f"plot.py: {output} was not drawn: the results have no row with a bar of its own"
             " and no table that is drawn as a figure")


def head(output, height):
    yield f"set terminal svg size {WIDTH},{height} font '{FONT}' background rgb 'white' noenhanced"
    yield f"set output {json.dumps(output, ensure_ascii=False)}"


def script(data, output):
    rows = [r for r in data["rows"]
            if r["calls"] == 1 and not r.get("study") and any(e["verified"] and e["who"] in COLOURS for e in r["entries"])]
    figures = figures_of(data)
    if not rows and not figures:
        not_drawn(output)
    bars = layout(rows)[-1] + AROUND if rows else 0
    total = bars + (len(figures) + 1) // 2 * FIGURE
    yield from head(output, total)
    yield "set multiplot"
    if rows:
        yield from bars_script(data, rows, 0, total)
    for i, table in enumerate(figures):
        yield from figure_script(table, i % 2 / 2, bars + i // 2 * FIGURE, 0.5, total)
    yield "unset multiplot"


def device_of(data):
    """The GPU's name, or the processor's, without what stands behind it."""
    library = data["library"]
    if library.get("backend", "cpu") != "cpu":
        return library["device"].split(",")[0]
    return re.sub(r"\(R\)|\(TM\)| Processor| CPU| \(.*", "", data["machine"]["cpu"])


def devices_of(files, paths):
    """A name for each file; with its path where two are of the same device."""
    names = [device_of(data) for data in files]
    return [f"{name} ({path})" if names.count(name) > 1 else name for name, path in zip(names, paths)]


def number_of(column):
    """What a column's name says, 2^20 or 48; None for words."""
    power = re.fullmatch(r"2\^(\d+)", column)
    return 2 ** int(power[1]) if power else int(column) if column.isdigit() else None


def joined_columns(columns, more):
    """Numbers by their size; words of one behind those of the other."""
    both = columns + [column for column in more if column not in columns]
    return both if None in map(number_of, both) else sorted(both, key=number_of)


def joined(files, devices):
    """The figures of all files, those of the same title as one. A line that is named after its device has only one name."""
    tables = {}
    for k, (data, device) in enumerate(zip(files, devices)):
        for table in figures_of(data):
            whole = tables.setdefault(table["title"], {**table, "columns": [], "lines": [], "colours": []})
            whole["columns"] = joined_columns(whole["columns"], table["columns"])
            for line in table["lines"]:
                name = device if data["library"]["device"].startswith(line["name"]) else line["name"]
                if name not in whole["colours"]:
                    whole["colours"].append(name)
                colour = LINES[whole["colours"].index(name) % len(LINES)]
                style = f"lc rgb '{colour}' dt {k + 1} pt {POINTS[k % len(POINTS)]}"
                whole["lines"].append({"name": name if name == device else f"{name}, {device}", "style": style,
                                       "values": dict(zip(table["columns"], line["values"]))})
    for table in tables.values():
        for line in table["lines"]:
            line["values"] = [line["values"].get(column) for column in table["columns"]]
    return list(tables.values())


def joined_script(files, paths, output):
    devices = devices_of(files, paths)
    figures = joined(files, devices)
    if not figures:
        not_drawn(output)
    title = "\n".join(f"{device}: Warpwise {data['library']['version']}, commit {data['library']['commit']}, {data['date']}"
                      for data, device in zip(files, devices))
    top = HEADING + 14 * len(files)
    total = top + len(figures) * FIGURE
    yield from head(output, total)
    yield f"set multiplot title {json.dumps(title, ensure_ascii=False)} noenhanced font 'DejaVu Sans,9'"
    for i, table in enumerate(figures):
        yield from figure_script(table, 0, top + i * FIGURE, 1, total)
    yield "unset multiplot"


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: plot.py results.json [more.json ...] results.svg")
    *paths, output = sys.argv[1:]
    files = [read(path) for path in paths]
    lines = script(files[0], output) if len(files) == 1 else joined_script(files, paths, output)
    try:
        subprocess.run(["gnuplot"], input="\n".join(lines), text=True, check=True)
    except FileNotFoundError:
        sys.exit(f"plot.py: {output} was not drawn: gnuplot is not installed (Debian: gnuplot-nox)")
    except subprocess.CalledProcessError as error:
        sys.exit(f"plot.py: {output} was not drawn: gnuplot ended with {error.returncode}")


main()
