"""What runs without a fault teach: how long each test takes, which kernels it compiles, and which lines of C it comes to. So
that a fault meets those tests first, or only those, that can notice it."""

import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading

from source import code_of


def hash_of(path):
    with open(path, "rb") as file:
        return hashlib.sha1(file.read()).hexdigest()


class Learned:
    def __init__(self, source, folder):
        self.source, self.file = source, os.path.join(folder, "learned.json")
        self.seconds, self.kernels, self.hashes = {}, {}, {}
        self.lines, self.names, self.covered = {}, [], []  # of a file's line the tests, as numbers of names
        self.lock = threading.Lock()
        if os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as file:
                self.__dict__.update(json.load(file))
        self.closures = {}

    def save(self):
        kept = {k: getattr(self, k) for k in ("seconds", "kernels", "hashes", "lines", "names", "covered")}
        with open(self.file + ".new", "w", encoding="utf-8") as file:
            json.dump(kept, file, sort_keys=True)
        os.replace(self.file + ".new", self.file)

    # ---- kernels ----

    def keep_kernels(self, test, cache, shared):
        """Which files the programs include that a test compiled into a cache of its own; they go to the one of all. Of a test
        that hands its own texts to a driver none are kept: it may include any."""
        found = set()
        os.makedirs(shared, mode=0o700, exist_ok=True)
        for path in glob.glob(os.path.join(cache, "*.code")):
            with open(path, "rb") as file:
                found |= {m.decode() for m in re.findall(rb'#include "([\w/]+\.cuh?)"', file.read())}
            target = os.path.join(shared, os.path.basename(path))
            if not os.path.exists(target):
                shutil.copy2(path, target + ".new")
                os.replace(target + ".new", target)
        self.kernels[test] = sorted(found) or None

    def closure(self, name):
        """A kernel file and all that it includes."""
        if name not in self.closures:
            self.closures[name] = {name}
            path = os.path.join(self.source, "src", name)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    for included in re.findall(r'#include "([\w/]+\.cuh?)"', file.read()):
                        self.closures[name] |= self.closure(included)
        return self.closures[name]

    def uses_kernel(self, test, path):
        roots = self.kernels.get(test)
        return roots is None or any(path[len("src/"):] in self.closure(r) for r in roots)

    # ---- lines ----

    def cover(self, build, jobs, options, side_by_side):
        """A build that counts, and a run of each test in it. Counters of each run go to a folder of their own."""
        folder = build.folder + "-counts"
        here = os.path.join(folder, "counted")
        counting = build.beside(folder, options)
        counted = {t.name for t in build.tests}
        todo = [t for t in counting.tests if t.name in counted and t.name not in self.covered]

        def one(test):
            where = os.path.join(here, test.name)
            shutil.rmtree(where, ignore_errors=True)
            os.makedirs(os.path.join(where, "tmp"))
            environment = {**os.environ, **test.environment, "GCOV_PREFIX": where, "TMPDIR": os.path.join(where, "tmp"),
                           "LD_LIBRARY_PATH": folder + ":" + os.environ.get("LD_LIBRARY_PATH", "")}
            with open(os.path.join(where, "said"), "wb") as said:
                subprocess.run(test.command, cwd=where, env=environment, stdin=subprocess.DEVNULL, stdout=said,
                               stderr=subprocess.STDOUT, timeout=4 * test.limit, check=False)
            self._read_counts(folder, where, test.name)
            with self.lock:
                self.covered.append(test.name)
            shutil.rmtree(where, ignore_errors=True)

        side_by_side(one, sorted(todo, key=lambda t: -self.seconds.get(t.name, 0)))
        for path in self.lines:
            self.hashes[path] = hash_of(os.path.join(self.source, path))
        self.save()
        return set(self.covered) >= {t.name for t in counting.tests if t.name in counted}

    def _read_counts(self, folder, where, test):
        under = where + folder
        files = []
        for path in glob.glob(os.path.join(under, "**", "*.gcda"), recursive=True):
            if "warpwise_objects.dir" not in path and "command.dir" not in path:
                continue
            notes = os.path.join(folder, os.path.relpath(path, under))[:-len("gcda")] + "gcno"
            if os.path.exists(notes):
                os.symlink(notes, path[:-len("gcda")] + "gcno")
                files.append(path)
        for some in range(0, len(files), 100):
            done = subprocess.run(["gcov", "--json-format", "--stdout"] + files[some:some + 100], cwd=where,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            for text in done.stdout.decode("utf-8", "replace").splitlines():
                with self.lock:
                    self._take_counts(json.loads(text), test)

    def _take_counts(self, said, test):
        if test not in self.names:
            self.names.append(test)
        number = self.names.index(test)
        for file in said["files"]:
            path = os.path.normpath(os.path.join(said.get("current_working_directory", "/"), file["file"]))
            if not path.startswith(self.source + "/"):
                continue
            lines = self.lines.setdefault(os.path.relpath(path, self.source), {})
            for line in file["lines"]:
                tests = lines.setdefault(str(line["line_number"]), [])
                if line["count"] and number not in tests:
                    tests.append(number)

    def tests_at(self, path, first, last):
        """The names of the tests that come to these lines; None where that is not known (macros, tables)."""
        lines, full = self.lines.get(path), os.path.join(self.source, path)
        if not lines or not self.covered or self.hashes.get(path) != hash_of(full):
            return None
        with open(full, encoding="utf-8") as file:
            text = file.read()
        rows, code = text.split("\n"), code_of(text).split("\n")
        if any(rows[i - 1].endswith("\\") or (i > 1 and rows[i - 2].endswith("\\")) for i in range(first, last + 1)):
            return None
        tests, known = set(), False
        for i in range(first, last + 1):
            if str(i) in lines:
                known = True
                tests |= set(lines[str(i)])
        back = first
        while str(back) not in lines:  # a statement of several lines counts where it begins
            if back == 1 or first - back > 8 or not code[back - 1].strip() or rows[back - 1].startswith("}"):
                break
            back -= 1
        else:
            known = True
            tests |= set(lines[str(back)])
        return {self.names[n] for n in tests} if known else None


def check_gcov():
    if not shutil.which("gcov"):
        sys.exit("gcov is not there; --no-lines goes without it")
