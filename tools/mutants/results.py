"""What is known of each fault so far: lines of JSON that are only ever added to, so that a run that was cut off goes on."""

import json
import os
import threading

import operators


class Results:
    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        self.end, self.passed = {}, {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    try:
                        self._take(json.loads(line))
                    except ValueError:
                        pass  # cut off in the middle
        self.file = open(path, "a", encoding="utf-8")
        if os.path.getsize(path) and not open(path, "rb").read().endswith(b"\n"):
            self.file.write("\n")

    def _take(self, entry):
        if "test" in entry:
            self.passed.setdefault(entry["mutant"], set()).add(entry["test"])
        elif entry["end"] == "again":
            self.end.pop(entry["mutant"], None)
            self.passed.pop(entry["mutant"], None)
        else:
            self.end[entry["mutant"]] = entry

    def add(self, **entry):
        with self.lock:
            self._take(entry)
            self.file.write(json.dumps(entry, sort_keys=True) + "\n")
            self.file.flush()

    def killers(self, paths):
        """Tests that noticed other faults in these files, the one that noticed most first."""
        count = {}
        with self.lock:
            for e in self.end.values():
                if e["end"] == "killed" and set(e["paths"]) & set(paths):
                    count[e["by"]] = count.get(e["by"], 0) + 1
        return sorted(count, key=lambda t: -count[t])


def room_of(path):
    """The folder that a file's faults are counted by."""
    parts = path.split("/")
    if parts[0] != "src":
        return parts[0]
    return "/".join(parts[1:3] if parts[1] == "primitive" else parts[1:2])


ENDS = ("killed", "survived", "equivalent", "invalid")


def table(ends, all_of_them):
    """The report: a summary by side, and a Markdown table of the survivors (or of all)."""
    lines, sides = [], sorted({e["side"] for e in ends})
    lines += ["| side | planted | noticed | survived | of what is not equivalent | equivalent | do not compile |",
              "| --- | --- | --- | --- | --- | --- | --- |"]
    for side in sides + (["all"] if len(sides) > 1 else []):
        many = {k: sum(e["end"] == k for e in ends if side in ("all", e["side"])) for k in ENDS}
        counted = many["killed"] + many["survived"]
        lines.append(f"| {side} | {counted + many['equivalent']} | {many['killed']} | {many['survived']} | "
                     f"{100 * many['killed'] / counted if counted else 100:.1f}% | {many['equivalent']} | {many['invalid']} |")
    lines += ["", "| room | planted | noticed | survived | equivalent |", "| --- | --- | --- | --- | --- |"]
    rooms = {}
    for e in ends:
        rooms.setdefault(room_of(e["paths"][0]), []).append(e["end"])
    for room, of_room in sorted(rooms.items()):
        many = {k: of_room.count(k) for k in ENDS}
        lines.append(f"| {room} | {len(of_room) - many['invalid']} | {many['killed']} | {many['survived']} | {many['equivalent']} |")
    shown = [e for e in ends if e["end"] != "invalid" and (all_of_them or e["end"] != "killed")]
    if shown:
        lines += ["", "| fault | where | what | outcome |", "| --- | --- | --- | --- |"]
    for e in sorted(shown, key=lambda e: (ENDS[::-1].index(e["end"]), e["place"])):
        what = e["what"].replace("|", "\\|").replace("\n", " ")
        outcome = e["end"]
        if outcome == "killed":
            outcome = f"{e['by']}: {e['how']}" + (f", {e['case']}" if e["case"] else "")
        elif outcome == "equivalent":
            outcome = "equivalent: " + e["why"]
        outcome = outcome.replace("|", "\\|")
        lines.append(f"| {e['operator']} ({e['mutant']}) | {e['place']} | {what} | {outcome} |")
    by_operator = {}
    for e in ends:
        if e["end"] in ("killed", "survived"):
            noticed, all_ = by_operator.get(e["operator"], (0, 0))
            by_operator[e["operator"]] = (noticed + (e["end"] == "killed"), all_ + 1)
    lines += ["", "| operator | what it plants | noticed |", "| --- | --- | --- |"]
    for name, (noticed, all_) in sorted(by_operator.items()):
        what = operators.OPERATORS[name][1] if name in operators.OPERATORS else "faults by name (planted.txt)"
        lines.append(f"| {name} | {what} | {noticed} of {all_} |")
    return "\n".join(lines)
