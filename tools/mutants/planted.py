"""The faults that are planted by name, and those known to change nothing, each from a text file that says how it is read."""

import hashlib
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Change:
    """Text of a file that becomes other text."""

    def __init__(self, path, start, end, new):
        self.path, self.start, self.end, self.new = path, start, end, new


class Mutant:
    def __init__(self, id, operator, side, changes, what, line, by=()):
        self.id, self.operator, self.side, self.changes, self.what, self.line = id, operator, side, changes, what, line
        self.by = by  # tests that are known to notice it

    @property
    def paths(self):
        return sorted({c.path for c in self.changes})

    @property
    def place(self):
        return f"{self.changes[0].path}:{self.line}"


def short_hash(*parts):
    return hashlib.sha1("\0".join(parts).encode()).hexdigest()[:8]


def lines_of_file(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file if not line.startswith("#")]


def _find_once(text, old, where):
    """Old text is found whatever its white space, and must be there exactly once."""
    pattern = r"\s+".join(re.escape(word) for word in old.split())
    found = [m.span() for m in re.finditer(pattern, text)]
    if len(found) != 1:
        sys.exit(f"{where}: the old text is found {len(found)} times, not once; the fault has to be written anew:\n{old}")
    return found[0]


def read_planted(side_of, read):
    """planted.txt: a fault is `@ name: what it is`, perhaps `by TEST …`, then for each change `file PATH`, lines `- old` and lines `+ new`."""
    mutants, name, what, by, path, old, new = [], None, "", (), None, [], []
    changes = []

    def end_change():
        if old:
            start, end = _find_once(read(path), "\n".join(old), f"planted.txt: {name}: {path}")
            changes.append(Change(path, start, end, "\n".join(new)))
            old.clear()
            new.clear()

    def end_fault():
        end_change()
        if changes:
            first = changes[0]
            line = read(first.path).count("\n", 0, first.start) + 1
            mutants.append(Mutant(name, "planted", side_of(first.path), list(changes), what, line, by))
            changes.clear()

    for line in lines_of_file("planted.txt"):
        if line.startswith("@ "):
            end_fault()
            name, what = line[2:].split(": ", 1)
            by = ()
        elif line.startswith("by "):
            by = tuple(line.split()[1:])
        elif line.startswith("file "):
            end_change()
            path = line[5:].strip()
        elif line.startswith("-"):
            if new:
                end_change()
            old.append(line[2:])
        elif line.startswith("+"):
            new.append(line[2:])
        elif line.strip():
            sys.exit(f"planted.txt: no such line is known: {line}")
    end_fault()
    names = [m.id for m in mutants]
    for twice in {n for n in names if names.count(n) > 1}:
        sys.exit(f"planted.txt: {twice} is there twice")
    return mutants


def read_equivalent():
    """equivalent.txt: `file PATH`, `- old line`, `+ new line` (none: it is left out), `= why nothing changes`."""
    known, path, old, new = {}, None, "", ""
    for line in lines_of_file("equivalent.txt"):
        if line.startswith("file "):
            path = line[5:].strip()
        elif line.startswith("-"):
            old, new = " ".join(line[1:].split()), ""
        elif line.startswith("+"):
            new = " ".join(line[1:].split())
        elif line.startswith("="):
            known[(path, old, new)] = line[1:].strip()
    return known
