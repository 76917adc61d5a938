#!/usr/bin/env python3
"""Plants faults in the library, one at a time, and sees whether the tests notice: `make mutants`.

Faults are those of planted.txt, by name, and a sample of those that the operators make (operators.py); each is compiled
into a library of its own, beside one whole build that stays as it is, and the tests are run as `make test` runs them until
one fails. What all of them let through is a survivor: a test is missing, or the fault changes nothing and stands, with its
reason, in equivalent.txt. Results are kept as they come: a run that was cut off goes on where it was.
"""

import argparse
import os
import queue
import re
import shutil
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import operators  # noqa: E402
from build import Build  # noqa: E402
from learned import Learned, check_gcov  # noqa: E402
from planted import Change, Mutant, read_equivalent, read_planted, short_hash  # noqa: E402
from results import Results, room_of, table  # noqa: E402
from slot import Failed, Slot  # noqa: E402
from source import code_of, line_bounds, line_of  # noqa: E402

SOURCE = os.path.dirname(os.path.dirname(HERE))

# The emulator is a tool of the tests; libcuda and NVRTC are only there with a GPU; the words' CUDA side, too, and what is
# drawn on terminals no test sees.
LEFT_OUT = re.compile(r"^src/device/(emu|cuda)/|^src/device/kernel/(words|types)\.cuh$|^cli/(tour|bench|progress)")
# By design these change speed alone.
SPEED = re.compile(r"prefetch|PATIENCE|WW__SERIAL|AHEAD|fetch_to_cache|unroll|__builtin_expect|stream_done|streaming|looks|"
                   r"\bp(?:->|\.)(?:items|rows|threads|copies|held|blocks|each|shared_edges|samples)\b|"
                   r"while \((?!.*shared).*\) [\w.>-]+ (?:/= 2|--);")
# With --near: tests that are about no room, or about all.
ANYWHERE = re.compile(r"plans|graph|fails|arguments|memory|definitions")


def read(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def side_of(path):
    if path.endswith((".cu", ".cuh")):
        return "kernels"
    if re.search(r"_gpu\.[ch]$|^src/device/gpu/", path):
        return "host"
    return "cpu"


def files():
    found = []
    for room in ("src", "cli", "include"):
        for folder, _, names in os.walk(os.path.join(SOURCE, room)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), SOURCE)
                if name.endswith((".c", ".h", ".cu", ".cuh")) and not LEFT_OUT.search(path):
                    found.append(path)
    return sorted(found)


def described(text, start, end, new):
    """The lines that differ, before and after."""
    first, last = line_bounds(text, start)[0], line_bounds(text, end)[1]
    old_line, new_line = text[first:last], text[first:start] + new + text[end:last]
    return " ".join(old_line.split()), " ".join(new_line.split())


def mutants_of(path):
    text = read(path)
    code = code_of(text)
    found, seen = [], {}
    for name, (function, _) in operators.OPERATORS.items():
        if name == "narrow" and side_of(path) != "cpu":
            continue  # no test on the emulator is large enough to tell
        if name == "alignment" and side_of(path) != "host":
            continue
        for start, end, new in function(code, text):
            old_line, new_line = described(text, start, end, new)
            if SPEED.search(old_line) or old_line == new_line:
                continue
            key = (name, path, old_line, new_line)
            seen[key] = seen.get(key, -1) + 1
            found.append(Mutant(short_hash(*key, str(seen[key])), name, side_of(path), [Change(path, start, end, new)],
                                f"`{old_line}` → `{new_line}`", line_of(text, start)))
    return found


def sampled(all_mutants, seed):
    """A room in turn, of a room's faults an operator in turn, of an operator's one at random. The sample is the beginning; it
    stays much the same when sources change, since the seed gives each fault a rank of its own."""
    rooms = {}
    for m in sorted(all_mutants, key=lambda m: short_hash(str(seed), m.id)):
        rooms.setdefault(room_of(m.paths[0]), {}).setdefault(m.operator, []).append(m)

    def of_room(room):  # which operator comes first is another in each room
        operators = sorted(rooms[room], key=lambda name: short_hash(str(seed), room, name))
        return in_turn([rooms[room][name] for name in operators])

    return in_turn([of_room(room) for room in sorted(rooms)])


def in_turn(lists):
    """The first of each list, then the second of each, and so on."""
    return [some[turn] for turn in range(max(map(len, lists), default=0)) for some in lists if turn < len(some)]


def words_in(path):
    """What names a file's matter: tests whose name has such a word are about it."""
    empty = {"src", "c", "h", "cu", "cuh", "cpu", "gpu", "primitive", "device", "test", "emulated", ""}
    return set(re.split(r"[/_.]", path)) - empty


class Run:
    def __init__(self, options):
        self.options = options
        self.stop = time.monotonic() + options.minutes * 60 if options.minutes else None
        self.build = Build(SOURCE, os.path.abspath(options.build), options.jobs, options.cmake, options.tests, options.skip)
        os.makedirs(options.work, exist_ok=True)
        self.results = Results(os.path.join(options.work, "results.jsonl"))
        self.equivalent = read_equivalent()
        memory = options.memory << 30
        self.slots = queue.Queue()
        threads = max(1, (os.cpu_count() or 1) // options.jobs)
        for s in range(options.jobs):
            self.slots.put(Slot(self.build, os.path.join(os.path.abspath(options.work), f"slot{s}"), threads, memory))
        self.learned = Learned(SOURCE, options.work)
        self.lock = threading.Lock()

    def time_left(self):
        return self.stop is None or time.monotonic() < self.stop

    # ---- without a fault ----

    def baseline(self):
        """Every test has to pass without a fault, in such a place and beside as many others; what it takes is the measure.
        Kernels are compiled anew, as they are with a fault in them."""
        learned = self.learned
        caches = {t.environment["WARPWISE_CACHE"] for t in self.build.tests if "WARPWISE_CACHE" in t.environment}
        if not all(os.path.isdir(c) and any(n.endswith(".code") for n in os.listdir(c)) for c in caches):
            learned.kernels = {}
        todo = [t for t in self.build.tests if t.name not in learned.seconds or
                ("WARPWISE_CACHE" in t.environment and t.name not in learned.kernels)]
        failed = []

        def one(test):
            slot = self.slots.get()
            try:
                slot.changed, slot.stale = {}, set()
                cache = os.path.join(slot.folder, "own-cache")
                shutil.rmtree(cache, ignore_errors=True)
                os.makedirs(cache, mode=0o700)
                said = slot.test(test, test.limit, cache)
                if said.how != "passed":
                    failed.append(f"{test.name}: {said.how} {said.case}")
                    self.say_log(slot, test)
                    return
                with self.lock:
                    learned.seconds[test.name] = round(said.seconds, 2)
                    if "WARPWISE_CACHE" in test.environment:
                        learned.keep_kernels(test.name, cache, test.environment["WARPWISE_CACHE"])
                    learned.save()
            finally:
                slot.clear()
                self.slots.put(slot)

        self.side_by_side(one, sorted(todo, key=lambda t: t.emulated, reverse=True))
        if failed:
            sys.exit("without any fault these tests fail:\n" + "\n".join(failed))
        if any(t.name not in learned.seconds for t in self.build.tests):
            sys.exit("time is up; the same command goes on")
        print(f"{len(self.build.tests)} tests pass without a fault, in "
              f"{sum(learned.seconds[t.name] for t in self.build.tests):.0f} s of one core, all kernels compiled", flush=True)
        if self.options.lines and not set(learned.covered) >= {t.name for t in self.build.tests}:
            check_gcov()
            flags = "-O1 --coverage -fprofile-update=atomic"
            given = "".join(f" -I{os.path.abspath(self.options.tools)}/include" if self.options.tools else "")
            if not learned.cover(self.build, self.options.jobs, ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O2" + given,
                                                                       f"-DCMAKE_C_FLAGS={flags}{given}"], self.side_by_side):
                sys.exit("time is up; the same command goes on")
            print(f"lines that tests come to are known of {len(learned.lines)} files", flush=True)

    def say_log(self, slot, test):
        with open(os.path.join(slot.folder, "run", "said"), errors="replace") as file:
            sys.stderr.write(f"---- {test.name}\n" + file.read()[-2000:])

    def side_by_side(self, function, items):
        """function(item) for all of them, by as many threads as there are places, until time is up."""
        todo = queue.Queue()
        for item in items:
            todo.put(item)
        errors = []

        def work():
            while self.time_left() and not errors:
                try:
                    item = todo.get_nowait()
                except queue.Empty:
                    return
                try:
                    function(item)
                except BaseException as error:  # pylint: disable=broad-except
                    errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(self.options.jobs)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        if errors:
            raise errors[0]

    # ---- with one ----

    def tests_for(self, mutant):
        """Those that can notice it, those first that are about it, quick ones before slow ones."""
        tests, learned = self.build.tests, self.learned
        about = set().union(*(words_in(p) for p in mutant.paths))
        if mutant.side == "kernels":
            tests = [t for t in tests if t.knows_kernels and any(learned.uses_kernel(t.name, p) for p in mutant.paths)]
        elif mutant.side == "host":
            tests = [t for t in tests if t.knows_kernels]
        elif all(re.search(r"_cpu\.[ch]$", p) for p in mutant.paths):
            tests = [t for t in tests if not t.emulated] or tests
        covering = [learned.tests_at(c.path, *self.lines_of(c)) for c in mutant.changes]
        if mutant.side != "kernels" and None not in covering:
            names = set().union(*covering)
            if not names:  # what a child of a test did before it was killed is not counted
                tests = [t for t in tests if about & words_in(t.name) or re.search("device|cli|graph|memory", t.name)]
            else:
                tests = [t for t in tests if t.name in names]
        if self.options.near:
            tests = [t for t in tests if about & words_in(t.name) or ANYWHERE.search(t.name)]
        tests += [t for t in self.build.tests if t.name in mutant.by and t not in tests]
        killers = self.results.killers(mutant.paths)

        def order(test):
            if mutant.side == "host" and test.name == "test_gpu_plans":  # it knows the launches of all
                return 0, -1, 0
            if test.name in mutant.by:
                return 0, mutant.by.index(test.name), 0
            if test.name in killers:
                return 0, len(mutant.by) + killers.index(test.name), 0
            related = len(about & words_in(test.name))
            return (1, -related, learned.seconds[test.name]) if related else (2, test.emulated, learned.seconds[test.name])

        return sorted(tests, key=order)

    @staticmethod
    def lines_of(change):
        text = read(change.path)
        return line_of(text, change.start), line_of(text, max(change.start, change.end - 1))

    def limit(self, mutant, test):
        """A test that takes so much longer hangs."""
        return min(float(test.limit), 60 + 8 * self.learned.seconds[test.name])

    def try_one(self, mutant):
        slot = self.slots.get()
        end = {"mutant": mutant.id, "operator": mutant.operator, "side": mutant.side, "place": mutant.place,
               "paths": mutant.paths, "what": mutant.what, "by": "", "how": "", "case": ""}
        begin = time.monotonic()
        try:
            try:
                slot.plant(mutant)
            except Failed:
                self.end(end, "invalid")
                return
            if mutant.operator in ("order", "signed", "narrow") and slot.same_code():
                self.end(end, "equivalent", why="the compiler makes the same code of it")
                return
            for test in self.tests_for(mutant):
                if test.name in self.results.passed.get(mutant.id, ()):
                    continue
                if not self.time_left():
                    return
                try:
                    said = slot.test(test, self.limit(mutant, test))
                except Failed as why:
                    said = None
                    if mutant.paths[0].startswith("include/"):
                        self.end(end, "invalid")
                        return
                    raise SystemExit(f"{test.name} does not link: {why}")
                if said.how == "passed":
                    self.results.add(mutant=mutant.id, test=test.name, seconds=round(said.seconds, 1))
                elif said.how == "does not compile":
                    self.end(end, "invalid")
                    return
                else:
                    end.update(by=test.name, how=said.how, case=said.case)
                    self.end(end, "killed", seconds=round(time.monotonic() - begin))
                    return
            if slot.same_code():
                self.end(end, "equivalent", why="the compiler makes the same code of it")
            else:
                self.end(end, "survived", seconds=round(time.monotonic() - begin))
        finally:
            slot.clear()
            self.slots.put(slot)

    def end(self, entry, how, **more):
        self.results.add(**{**entry, "end": how, **more})
        by = f"by {entry['by']}: {entry['how']} {entry['case']}" if entry["by"] else ""
        print(f"{how:<10} {entry['operator']} {entry['mutant']} {entry['place']} {entry['what'][:160]} {by}", flush=True)

    def known_equivalent(self, mutant):
        old_new = re.fullmatch(r"`(.*)` → `(.*)`", mutant.what)
        if mutant.operator == "planted" or not old_new:
            return None
        return self.equivalent.get((mutant.paths[0], old_new[1], old_new[2]))

    def wanted(self, mutants, count):
        """Those to try of the first `count` that compile and change something, as far as is known."""
        good, todo = 0, []
        for m in mutants:
            if good == count:
                break
            ended = self.results.end.get(m.id)
            why = self.known_equivalent(m)
            if why and (not ended or ended["end"] == "survived"):
                self.results.add(mutant=m.id, operator=m.operator, side=m.side, place=m.place, paths=m.paths, what=m.what,
                                 end="equivalent", why=why, by="", how="", case="")
                continue
            if ended and ended["end"] in ("invalid", "equivalent"):
                continue
            good += 1
            if not ended:
                todo.append(m)
        return todo

    def try_all(self, groups):
        """Whether all were tried before time was up."""
        while self.time_left():
            todo = [m for mutants, count in groups for m in self.wanted(mutants, count)]
            if not todo:
                return True
            self.side_by_side(self.try_one, todo)
        return False


def is_meant(mutant, only):
    return any(o in mutant.id or o == mutant.operator or any(o in p for p in mutant.paths) for o in only)


def chosen(options):
    """The faults that the options ask for, by side, in the order in which they are tried."""
    planted = [] if options.sampled else read_planted(side_of, read)
    groups = []
    for side in options.side:
        named = [m for m in planted if m.side == side]
        of_operators = []
        if not options.planted:
            for path in files():
                if side_of(path) == side:
                    of_operators += mutants_of(path)
            if options.operators:
                of_operators = [m for m in of_operators if m.operator in options.operators]
        of_operators = sampled(of_operators, options.seed)
        if options.only:
            wanted = [m for m in named + of_operators if is_meant(m, options.only)]
            groups.append((wanted, options.count if options.count_given else len(wanted)))
        else:
            groups.append((named, len(named)))
            groups.append((of_operators, min(options.count, len(of_operators))))
    return [g for g in groups if g[0]]


def arguments():
    parser = argparse.ArgumentParser(prog="tools/mutants/mutants.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--list", action="store_true", help="print the faults that would be planted, and plant none")
    add("--report", action="store_true", help="print the table of what is known so far, in Markdown")
    add("--all", action="store_true", help="with --report: those that were noticed, too, with the case that noticed")
    add("--side", action="append", choices=["cpu", "kernels", "host"], help="one of the sides only (may be repeated)")
    add("--only", action="append", metavar="X",
        help="faults with this name, of this operator, or in files with this in their path")
    add("--planted", action="store_true", help="those of planted.txt only")
    add("--sampled", action="store_true", help="those of the operators only")
    add("--operators", metavar="A,B", type=lambda s: s.split(","), help="these operators only")
    add("--seed", type=int, default=16, help="decides the sample (16)")
    add("--count", type=int, help="faults of the sample on each side (120, of the host's side 60)")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="faults tried at once (as many as there are processors)")
    add("--minutes", type=float, help="begin nothing new after so many; the next run goes on")
    add("--again", choices=["survived", "killed", "equivalent", "invalid", "all"], help="forget these results first")
    add("--tests", default="", metavar="REGEX", help="these tests only, and of the build what they need")
    add("--skip", default="^test_kernel_text$", metavar="REGEX",
        help="tests that are not run (test_kernel_text, which only compiles, for minutes where NVRTC is)")
    add("--near", action="store_true", help="of each fault those tests only whose names are about its files, those of plans, "
        "graphs, failures, arguments and memory, and those that planted.txt names")
    add("--no-lines", dest="lines", action="store_false", help="do not count first which lines each test comes to (gcov)")
    add("--build", default="build-mutants", help="folder of the whole build (build-mutants)")
    add("--work", default=None, help="folder of the results and of the places for faults (BUILD/mutants)")
    add("--tools", metavar="FOLDER", help="where cmocka and Boost.Context lie (include, lib), if not in the system")
    add("--memory", type=int, default=12, metavar="GIB", help="the most that a test may take (12; 0: anything)")
    add("--cmake", action="append", default=[], metavar="-DX=Y", help="handed on to cmake; --cmake=-DX=Y")
    options = parser.parse_args()
    options.side = options.side or ["cpu", "kernels", "host"]
    options.count_given = options.count is not None
    options.work = options.work or os.path.join(options.build, "mutants")
    if options.tools:
        folder = os.path.abspath(options.tools)
        options.cmake = options.cmake + [f"-DCMAKE_PREFIX_PATH={folder}", f"-DCMAKE_C_FLAGS=-I{folder}/include",
                                         f"-DCMAKE_CXX_FLAGS=-I{folder}/include"]
    return options


def main():
    options = arguments()
    sides = {"host": 60}
    given = options.count
    groups = []
    for side in options.side:
        count = given if given is not None else sides.get(side, 120)
        one = argparse.Namespace(**{**vars(options), "side": [side], "count": count})
        groups += chosen(one)
    groups.sort(key=lambda g: g[0][0].operator != "planted")  # those by name first
    if options.list:
        stale = [(path, old) for path, old, _ in read_equivalent()
                 if not os.path.exists(os.path.join(SOURCE, path)) or old not in " ".join(read(path).split())]
        if stale:
            sys.exit("\n".join(f"equivalent.txt: {path} has this line no more: {old}" for path, old in stale))
        for mutants, count in groups:
            for m in mutants[:count]:
                print(f"{m.id}  {m.side}  {m.operator}  {m.place}  {m.what}")
        return
    if options.report:
        results = Results(os.path.join(options.work, "results.jsonl"))
        print(table([results.end[m.id] for mutants, _ in groups for m in mutants if m.id in results.end], options.all))
        return
    run = Run(options)
    if options.again:
        for mutants, _ in groups:
            for m in mutants:
                if options.again in ("all", run.results.end.get(m.id, {}).get("end")):
                    run.results.add(mutant=m.id, end="again")
    run.baseline()
    complete = run.try_all(groups)
    ends = [run.results.end[m.id] for mutants, _ in groups for m in mutants if m.id in run.results.end]
    print(table(ends, False))
    if not complete:
        print("\ntime is up; the same command goes on")


if __name__ == "__main__":
    main()
