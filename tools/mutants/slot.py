"""A place where one fault at a time is tried: a copy of the sources, the objects that differ, programs linked with them, and
folders for what tests write. Nothing in it is seen by the other places."""

import os
import re
import resource
import shutil
import signal
import subprocess
import time

WRITTEN_MOST = 6 << 30  # bytes, by one test
COPIED = ("src", "include", "cli", "tests", "examples", "tools", "cmake")


class Failed(Exception):
    """The compiler refused it."""


class Said:
    """How a test ended: 'passed', or how it noticed the fault."""

    def __init__(self, how, case, seconds):
        self.how, self.case, self.seconds = how, case, seconds


class Slot:
    def __init__(self, build, folder, threads, memory):
        self.build, self.folder, self.threads, self.memory = build, folder, threads, memory
        self.tree, self.out = os.path.join(folder, "tree"), os.path.join(folder, "out")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(self.out, "tests"))
        for name in COPIED:
            if os.path.isdir(os.path.join(build.source, name)):
                shutil.copytree(os.path.join(build.source, name), os.path.join(self.tree, name), symlinks=True)
        self.made = {}  # objects and programs of this fault: output -> file
        self.caches = {}

    # ---- one fault ----

    def plant(self, mutant):
        """Puts the fault into the copy and compiles the library with it."""
        self.changed = {}
        for path in mutant.paths:
            with open(os.path.join(self.build.source, path), encoding="utf-8") as file:
                text = file.read()
            for c in sorted((c for c in mutant.changes if c.path == path), key=lambda c: -c.start):
                text = text[:c.start] + c.new + text[c.end:]
            self.changed[path] = text
        self._write(self.changed)
        self.stale = set().union(*(self.build.objects_of(p) for p in mutant.paths))
        self._compile_all([o for o in self.stale if "warpwise_objects.dir" in o or "command.dir" in o])

    def clear(self):
        """Takes the fault out again."""
        for path in getattr(self, "changed", {}):
            shutil.copyfile(os.path.join(self.build.source, path), os.path.join(self.tree, path))
        self.changed, self.stale = {}, set()
        for file in set(self.made.values()):
            if os.path.lexists(file):
                os.remove(file)
        self.made = {}
        shutil.rmtree(os.path.join(self.folder, "run"), ignore_errors=True)

    def same_code(self):
        """Whether the compiler made the same of the library with the fault as without."""
        files = {o: f for o, f in self.made.items() if o.endswith(".o")}
        if not files or any(o.endswith("kernels.c.o") for o in files):
            return False
        bytes_with = {o: open(f, "rb").read() for o, f in files.items()}
        for path in self.changed:
            shutil.copyfile(os.path.join(self.build.source, path), os.path.join(self.tree, path))
        for output in files:
            self._compile(output)
        same = all(open(file, "rb").read() == bytes_with[output] for output, file in files.items())
        if not same:  # the fault comes back
            self._write(self.changed)
            for output, file in files.items():
                with open(file, "wb") as to:
                    to.write(bytes_with[output])
        return same

    # ---- compiling and linking ----

    def _write(self, texts):
        for path, text in texts.items():
            with open(os.path.join(self.tree, path), "w", encoding="utf-8") as file:
                file.write(text)

    def _here(self, word):
        """A path of the sources becomes the same one in the copy; a program's own path the one linked here."""
        build = self.build.folder + "/"
        word = re.sub(re.escape(build) + r"(?=warpwise\b|kernels\.c)", self.out + "/", word)
        if word.startswith("-fmacro-prefix-map="):
            return word.replace(self.build.source + "/", self.tree + "/")
        return re.sub(re.escape(self.build.source) + rf"/(?=(?:{'|'.join(COPIED)})(?:/|$))", self.tree + "/", word)

    def _file(self, output):
        return os.path.join(self.out, output.replace("/", "+"))

    def _run(self, words):
        done = subprocess.run(words, cwd=self.build.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace")
        if done.returncode:
            raise Failed(done.stdout[-8000:])

    def _compile(self, output):
        words, kept, skip = self.build.words_of(output), [], False
        for word in words:
            if skip:
                skip = False
            elif word in ("-MT", "-MF", "-o"):
                skip = True
            elif word not in ("-MD", "-Werror") and os.path.basename(word) != "ccache":
                kept.append(self._here(word))
        if output.endswith("kernels.c.o"):
            self._run(["cmake", f"-DSOURCE={self.tree}/src", f"-DOUT={self.out}/kernels.c", "-P",
                       f"{self.build.source}/cmake/kernels.cmake"])
        self._run(kept + ["-w", "-o", self._file(output)])
        self.made[output] = self._file(output)

    def _compile_all(self, outputs):
        if len(outputs) <= 1 or self.threads == 1:
            for o in sorted(outputs):
                self._compile(o)
            return
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(self._compile, sorted(outputs)))

    def _names_command(self, output):
        """Some tests know where the command is: beside the folder that they are in (tests/support/located.h)."""
        return output.endswith(".o") and re.search(r'"\.\./warpwise\\?"', self.build.rule.get(output, "")) is not None

    def _link(self, output):
        """Links a program or the shared library. The library's objects with the fault come before the archive of the others. A test
        that includes a source of the library takes the place of its object, in the archive as here."""
        if output in self.made:
            return
        library = [f for o, f in sorted(self.made.items()) if "warpwise_objects.dir" in o]
        try:
            self._link_with(output, library)
        except Failed as why:
            if "multiple definition of" not in str(why):
                raise
            self._link_with(output, [f for f in library if os.path.basename(f) + ": in function" not in str(why)])

    def _link_with(self, output, library):
        words, linked, skip = self.build.words_of(output), [], False
        for word in words:
            if skip:
                skip = False
            elif word == "-o":
                skip = True
            elif word in self.build.rule and word.endswith(".o"):
                if word not in self.made and word in self.stale:
                    self._compile(word)
                linked.append(self.made.get(word) or word)
            elif word == "libwarpwise.a":
                linked += library + [word]
            elif re.match(r"libwarpwise\.so", word):
                self._link_library()
                linked.append(os.path.join(self.out, "libwarpwise.so"))
            elif os.path.basename(word) == "ccache":
                pass
            else:
                linked.append(word.replace("-Wl,-rpath," + self.build.folder, "-Wl,-rpath," + self.out))
        file = self._file(output) if output != "warpwise" else os.path.join(self.out, "warpwise")
        self._run(linked + ["-o", file])
        self.made[output] = file

    def _link_library(self):
        output = next(o for o, command in self.build.rule.items()
                      if re.fullmatch(r"libwarpwise\.so\.[\d.]+\d", o) and "-shared" in command)
        if output in self.made:
            return
        self._link(output)
        soname = re.search(r"-soname,(\S+)", self.build.rule[output])[1]
        for name in ("libwarpwise.so", soname):
            path = os.path.join(self.out, name)
            if os.path.lexists(path):
                os.remove(path)
            os.symlink(self.made[output], path)

    # ---- tests ----

    def _cache(self, path):
        """A copy, by links, of the kernels that were compiled without a fault; what a fault adds goes with it."""
        if not os.path.isdir(path):
            return path
        here = self.caches.setdefault(path, os.path.join(self.folder, f"cache{len(self.caches)}"))
        os.makedirs(here, mode=0o700, exist_ok=True)
        there = set(os.listdir(path))
        for name in set(os.listdir(here)) - there:
            os.remove(os.path.join(here, name))
        for name in there - set(os.listdir(here)):
            if name.endswith(".code"):
                try:
                    os.link(os.path.join(path, name), os.path.join(here, name))
                except OSError:
                    shutil.copy2(os.path.join(path, name), os.path.join(here, name))
        return here

    @staticmethod
    def _wait(child, run, until):
        """Its exit status; None where it takes too long, or writes so much that the disk would fill up."""
        while time.monotonic() < until:
            try:
                return child.wait(timeout=max(0.1, min(2, until - time.monotonic())))
            except subprocess.TimeoutExpired:
                blocks = 0
                for folder, _, names in os.walk(run):
                    for name in names:
                        try:
                            blocks += os.lstat(os.path.join(folder, name)).st_blocks
                        except OSError:
                            pass
                if blocks * 512 > WRITTEN_MOST:
                    return None
        return None

    def _limits(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if self.memory:
            resource.setrlimit(resource.RLIMIT_DATA, (self.memory, self.memory))

    def test(self, test, limit, cache=None):
        """Links the test's program and runs it as ctest would; with a kernel cache of its own where one is named."""
        self._link(test.target)
        for option in test.command[1:]:
            if self.build.is_ours(os.path.relpath(option, self.build.folder)) and os.path.isabs(option):
                self._link(os.path.relpath(option, self.build.folder))
        if any(self._names_command(o) for o in self._objects(test.target)):
            self._link("warpwise")
        run = os.path.join(self.folder, "run")
        shutil.rmtree(run, ignore_errors=True)
        os.makedirs(os.path.join(run, "tmp"))
        environment = {**os.environ, **test.environment, "TMPDIR": os.path.join(run, "tmp"), "LC_ALL": "C"}
        environment["LD_LIBRARY_PATH"] = ":".join(p for p in (self.out, os.environ.get("LD_LIBRARY_PATH")) if p)
        environment["WARPWISE_TEST_PLACES"] = f"{self.out}/tests:{self.build.folder}/tests"
        for name, value in test.environment.items():  # what a test says it did
            if value.startswith(self.build.folder + "/tests/"):
                environment[name] = os.path.join(run, os.path.basename(value))
        if "WARPWISE_CACHE" in environment:
            environment["WARPWISE_CACHE"] = cache or self._cache(environment["WARPWISE_CACHE"])
        command = [self.made[test.target]] + [self._here(word) for word in test.command[1:]]
        said = os.path.join(run, "said")
        begin = time.monotonic()
        with open(said, "wb") as output:
            child = subprocess.Popen(command, cwd=run, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                     stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=self._limits)
            try:
                status = self._wait(child, run, begin + limit)
            finally:
                try:
                    os.killpg(child.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                child.wait()
        seconds = time.monotonic() - begin
        with open(said, "rb") as output:
            output.seek(max(0, os.path.getsize(said) - 200000))
            text = output.read().decode("utf-8", "replace")
        return Said(*self._judge(status, text, limit), seconds)

    def _objects(self, target):
        return [word for word in self.build.words_of(target) if word.endswith(".o")]

    @staticmethod
    def _judge(status, text, limit):
        if status == 0:
            return "passed", ""
        case = re.search(r'in case "(.*)"', text) or re.search(r"^\[  FAILED  \] (?!tests?:)(?:.*: )?(.*)", text, re.M)
        where = case[1].strip() if case else ""
        if status is None:
            return f"did not end within {limit:.0f} s, or filled the disk", where
        if re.search(r"device/kernel/\S+: error: |\.cuh?:\d+:\d+: error: ", text):
            return "does not compile", where
        if status < 0:
            return f"ended by {signal.Signals(-status).name}", where
        return f"status {status}", where
