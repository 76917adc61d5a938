"""What the build folder knows: how each object and program is made, what it is made of, and how the tests are run."""

import json
import os
import re
import shlex
import subprocess
import sys


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-4000:]}\nfailed with status {done.returncode}")
    return done.stdout


class Test:
    def __init__(self, described, build):
        properties = {p["name"]: p["value"] for p in described.get("properties", [])}
        self.name = described["name"]
        self.command = described.get("command", [])
        self.environment = dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))
        self.labels = properties.get("LABELS", [])
        self.after_others = any(p.startswith("FIXTURES_R") or p == "DEPENDS" for p in properties)
        self.limit = properties.get("TIMEOUT", 1800)
        self.target = os.path.relpath(self.command[0], build.folder) if self.command else ""
        self.emulated = "WARPWISE_TEST_DEVICE" in self.environment or self.name.startswith("emulated_")
        self.knows_kernels = self.emulated or "WARPWISE_EMULATOR" in self.environment or any(
            word in self.name for word in ("kernel", "cache", "pack_file", "source", "device", "gpu", "graph"))


class Build:
    """A whole build of the sources as they are. It is not changed any more: objects with faults lie elsewhere."""

    def __init__(self, source, folder, jobs, options, wanted, skipped):
        self.source, self.folder, self.jobs, self.options = source, folder, jobs, options
        self.wanted, self.skipped = wanted, skipped
        run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DWARPWISE_TESTS=ON", "-DWARPWISE_BENCH=OFF",
             "-DWARPWISE_KERNEL_PACK=OFF", f"-DWARPWISE_TEST_CACHE={folder}/kernels"] + options)
        self.make(jobs, wanted)
        self.rule = {}
        for entry in json.loads(run(["ninja", "-t", "compdb"], cwd=folder)):
            self.rule.setdefault(entry["output"], entry["command"])
        self.depends = self._dependencies()
        tests = json.loads(run(["ctest", "--show-only=json-v1"], cwd=folder))["tests"]
        tests = [Test(t, self) for t in tests]
        self.tests = [t for t in tests if t.command and re.search(wanted, t.name) and self.can_run(t) and
                      not (skipped and re.search(skipped, t.name))]
        if not self.tests:
            sys.exit(f"no test is called {wanted}")

    def beside(self, folder, options):
        """Another build of the same, which keeps kernels in the same cache."""
        caches = {t.environment["WARPWISE_CACHE"] for t in self.tests if "WARPWISE_CACHE" in t.environment}
        return Build(self.source, folder, self.jobs,
                     self.options + options + [f"-DWARPWISE_TEST_CACHE={c}" for c in caches], self.wanted, self.skipped)

    def make(self, jobs, wanted):
        if wanted == "":
            targets = ["all"]
        else:  # some tests only: what they need
            listed = run(["ninja", "-t", "targets", "all"], cwd=self.folder)
            names = re.findall(r"^(?:\S*/)?(test_\w+): ", listed, re.M)
            names += [n for n in ("command", "warpwise_emu") if re.search(rf"^{n}: phony", listed, re.M)]
            # Emulated tests are the same programs.
            targets = [n for n in names if not n.startswith("test_") or re.search(wanted, n) or
                       re.search(wanted, n.replace("test_", "emulated_", 1))]
        run(["ninja", "-j", str(jobs)] + sorted(set(targets)), cwd=self.folder)

    def can_run(self, test):
        """What builds and installs for itself, or looks at what all tests together did, cannot be run for one fault."""
        return "install" not in test.labels and not test.after_others and self.is_ours(test.target) and \
            os.path.exists(os.path.join(self.folder, test.target))

    def is_ours(self, target):
        return not target.startswith("..") and target in self.rule

    def _dependencies(self):
        """For each source file the objects that are made of it."""
        depends, target = {}, None
        for line in run(["ninja", "-t", "deps"], cwd=self.folder).splitlines():
            if line.startswith(" "):
                path = os.path.normpath(os.path.join(self.folder, line.strip()))
                if path.startswith(self.source + "/"):
                    depends.setdefault(os.path.relpath(path, self.source), set()).add(target)
            elif ": #deps" in line:
                target = line.split(": #deps")[0]
        return depends

    def objects_of(self, path):
        """Objects that are made anew when a source file changes. Kernels are text inside of the library."""
        if path.endswith((".cu", ".cuh")):
            return {o for o in self.rule if o.endswith("/kernels.c.o") or o == "kernels.c.o"}
        return self.depends.get(path, set())

    def words_of(self, output):
        """The command that makes it, as words: of `: && compiler … && :` the compiler's."""
        words, parts = [], []
        for word in shlex.split(self.rule[output]):
            if word == "&&":
                parts.append(words)
                words = []
            else:
                words.append(word)
        parts.append(words)
        parts = [p for p in parts if p and p != [":"]]
        return parts[0]
