#!/usr/bin/env python3
"""Draws the README's picture from kept results: rates beside other libraries', one bar for each, on a logarithmic axis.

    bench/picture.py            writes docs/rates.svg
    bench/picture.py --check    fails where docs/rates.svg is not what the results give, or a colour is too faint (a test)

bench/results/picture-rows.txt says which rows of which files. The drawing has no background of its own: its colours are such that they
are read on a white page and on a dark one. Needs nothing but Python's standard library."""
import html
import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST, PICTURE = ROOT / "bench/results/picture-rows.txt", ROOT / "docs/rates.svg"
NAMES = {"TBB": "oneTBB", "TBB-2": "oneTBB", "Highway": "vqsort", "NumPy": "NumPy", "StringZilla": "StringZilla",
         "Hyperscan": "Hyperscan", "libc": "libc"}
COLOURS = {"oneTBB": "#c2650a", "vqsort": "#4f8a2c", "NumPy": "#8f7a12", "StringZilla": "#9060b8", "Hyperscan": "#c2505a",
           "libc": "#2c8a82", "CUB": "#3079c0"}
TEXT, LINE = "#757575", "#8a8a8a"
PAGES = {"white": "#ffffff", "dark": "#0d1117"}
LEAST = {TEXT: 4.0, LINE: 3.0}  # contrast with a page (WCAG 2.1); of bars 3
WIDTH, LABELS, RIGHT, BAR, GAP, HEADING, MARGIN = 840, 190, 150, 13, 7, 34, 12
LOWEST, HIGHEST, TICKS = 0.5, 20.0, (0.5, 1, 2, 5, 10, 20)


def ratios(row):
    """(peer, Warpwise's rate over the peer's): of two ways of a peer beside the faster one."""
    if "entries" not in row:
        return [("CUB", row["gitems_per_second"] / row["peer_gitems_per_second"])]
    found = {}
    for entry in row["entries"]:
        name = NAMES.get(entry["who"])
        if name and entry["verified"]:
            found[name] = min(entry["ratio"], found.get(name, math.inf))
    return list(found.items())


def listed():
    """[(heading, [(label, [(peer, ratio)])])]"""
    panels, results, rows = [], {}, {}
    for line in LIST.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        kind, *fields = [field.strip() for field in line.split("|")]
        if kind == "file":
            results = json.loads((ROOT / fields[0]).read_text())
            rows = {row["name"]: row for row in results["rows"]}
        elif kind == "heading":
            panels.append((f"{fields[0]} – {results['date'][:10]}", []))
        else:
            panels[-1][1].append((fields[0], ratios(rows[fields[1]])))
    return panels


def across(ratio):
    """Where a ratio stands, in pixels from the left."""
    part = math.log(ratio / LOWEST) / math.log(HIGHEST / LOWEST)
    return LABELS + part * (WIDTH - LABELS - RIGHT)


def shown(ratio):
    return f"{ratio:.2f}" if ratio < 2 else f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def text(x, y, what, size=12, anchor="start", weight="normal", colour=TEXT):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
            f'fill="{colour}">{html.escape(what)}</text>')


def bar(y, peer, ratio):
    one, end = across(1), across(min(max(ratio, LOWEST), HIGHEST))
    left, right = min(one, end), max(one, end)
    yield f'<rect x="{left:.1f}" y="{y:.1f}" width="{max(right - left, 1):.1f}" height="{BAR - 3}" rx="2" fill="{COLOURS[peer]}"/>'
    yield text(right + 6, y + BAR - 4.5, f"{shown(ratio)} × {peer}", 11)


def drawing():
    parts, y = [], MARGIN + 6.0
    parts.append(text(LABELS, y + 8, "Warpwise's rate over another library's (beyond 1 it is faster)", 13, weight="bold"))
    y += 20
    for heading, rows in listed():
        y += HEADING
        parts.append(text(LABELS, y - 12, heading, 12, weight="bold"))
        top = y
        for label, beside in rows:
            parts.append(text(LABELS - 10, y + BAR - 3.5, label, 12, "end"))
            for peer, ratio in beside:
                parts += bar(y, peer, ratio)
                y += BAR
            y += GAP
        for tick in TICKS:
            dashes = "" if tick == 1 else ' stroke-dasharray="1 5"'
            parts.insert(0, f'<line x1="{across(tick):.1f}" y1="{top - 4:.1f}" x2="{across(tick):.1f}" y2="{y - 2:.1f}" '
                            f'stroke="{LINE}" stroke-width="{1.5 if tick == 1 else 1}"{dashes}/>')
            parts.append(text(across(tick), y + 11, f"{tick:g}", 10, "middle"))
        y += 10
    height = y + MARGIN
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" viewBox="0 0 {WIDTH} {height:.0f}" '
            'font-family="-apple-system, Segoe UI, Helvetica, DejaVu Sans, sans-serif" role="img">')
    title = "<title>Rates of Warpwise beside those of other libraries on a CPU and a GPU, as ratios</title>"
    return "\n".join([head, title, *parts, "</svg>"]) + "\n"


def luminance(colour):
    parts = [int(colour[k:k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    lighter, darker = sorted((luminance(a), luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def faint():
    for colour in (TEXT, LINE, *COLOURS.values()):
        for page, behind in PAGES.items():
            if contrast(colour, behind) < LEAST.get(colour, 3.0):
                yield f"{colour} is too faint on a {page} page: {contrast(colour, behind):.2f}"


def main():
    wrong = list(faint())
    if "--check" not in sys.argv[1:]:
        PICTURE.write_text(drawing())
    elif not PICTURE.exists() or PICTURE.read_text() != drawing():
        wrong.append("docs/rates.svg is not what the results give: bench/picture.py draws it")
    print("\n".join(wrong) or f"{PICTURE.relative_to(ROOT)} is as the results are")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
