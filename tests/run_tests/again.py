"""Tries tools/run-tests on a project of its own: what is kept, and that whatever may change a test makes it run again.

    python3 again.py tools/run-tests"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# Programs of the build are copies of sh that name a file of the source. Each test adds a letter to the file that RAN names.
PROJECT = """cmake_minimum_required(VERSION 3.18)
project(tried NONE)
enable_testing()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
set(say "printf %s $0 >>\\"$RAN\\"")
add_test(NAME plain COMMAND ${PROJECT_BINARY_DIR}/tests/plain -c "${say}; echo cases 3 >$REPORT" p)
set_tests_properties(plain PROPERTIES ENVIRONMENT REPORT=${PROJECT_BINARY_DIR}/tests/report/plain.txt)
add_test(NAME script COMMAND sh -c "${say}" s ${PROJECT_SOURCE_DIR}/other)
add_test(NAME fails COMMAND ${PROJECT_BINARY_DIR}/tests/plain -c "${say}; test -e \\"$RAN.well\\"" f)
add_test(NAME writes COMMAND ${PROJECT_BINARY_DIR}/tests/writer -c "${say}; test ! -e \\"$RAN.write\\" || echo >>\\"$RAN.source/written\\"" w)
add_test(NAME needs COMMAND ${PROJECT_BINARY_DIR}/tests/plain -c "${say}" n)
set_tests_properties(needs PROPERTIES DEPENDS plain)
"""


class Tried:
    def __init__(self, script, folder):
        self.script, self.folder, self.ran = script, folder, folder / "ran"
        self.source, self.build, self.wrong = folder / "source", folder / "source" / "build", []
        self.clear = {name: value for name, value in os.environ.items() if not name.startswith("WARPWISE_")}
        self.clear.update(RAN=str(self.ran), WARPWISE_PASSED=str(folder / "passed"))
        self.extra = b""
        self.source.mkdir()
        (self.source / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
        for name in ("data", "written", "other"):
            (self.source / name).write_text("1\n", encoding="utf-8")
        self.configure()

    def configure(self):
        """As in a new clone: the same programs in the build folder."""
        (self.folder / "ran.source").unlink(missing_ok=True)
        (self.folder / "ran.source").symlink_to(self.source)
        subprocess.run(["cmake", "-S", self.source, "-B", self.build], check=True, stdout=subprocess.DEVNULL)
        shell = pathlib.Path(shutil.which("sh")).resolve().read_bytes()
        for name, named in (("plain", b"data"), ("writer", b"written")):
            program = self.build / "tests" / name
            program.write_bytes(shell + b"\0../../" + named + b"\0" + self.extra)
            program.chmod(0o755)

    def expect(self, what, letters, *options, **environment):
        """Runs the tests: those that ran are these."""
        self.ran.write_text("", encoding="utf-8")
        done = subprocess.run([self.script, *options, str(self.build), "-j", "2"], capture_output=True, text=True,
                              env={**self.clear, **environment}, check=False)
        ran = "".join(sorted(self.ran.read_text(encoding="utf-8")))
        should_fail = "f" in letters and not pathlib.Path(f"{self.ran}.well").exists()
        before = [line for line in done.stdout.splitlines() if "passed before with the same" in line]
        report = self.build / "tests" / "report" / "plain.txt"
        if ran != letters or (done.returncode != 0) != should_fail or len(before) != 5 - len(letters) or not report.exists():
            self.wrong.append(f"{what}: {ran} ran and not {letters}\n{done.stdout}{done.stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="warpwise-again-") as folder:
        t = Tried(os.path.abspath(sys.argv[1]), pathlib.Path(folder))
        look = subprocess.run([sys.executable, "-c", "import importlib.machinery as m, sys; sys.dont_write_bytecode = True; "
                               f"sys.exit(not m.SourceFileLoader('r', {t.script!r}).load_module().machine())"], env=t.clear, check=False,
                              stderr=subprocess.DEVNULL)
        if look.returncode:
            print("left out: tools/run-tests runs all tests on this machine")
            return 0
        pathlib.Path(f"{t.ran}.write").touch()
        t.expect("the first time", "fnpsw")
        t.expect("neither failures are kept, nor what needs others, nor what changed its own input", "fnsw")
        pathlib.Path(f"{t.ran}.write").unlink()
        pathlib.Path(f"{t.ran}.well").touch()
        t.expect("all pass", "fnsw")
        (t.build / "tests" / "report" / "plain.txt").unlink()
        t.expect("all is kept, and the report comes back", "n")
        t.expect("--again", "fnpsw", "--again")
        (t.source / "other").write_text("2\n", encoding="utf-8")
        t.expect("a file of the source that no program names", "ns")
        (t.source / "data").write_text("2\n", encoding="utf-8")
        t.expect("a file that a program names", "fnps")
        t.extra = b"x"
        t.configure()
        t.expect("a byte of the programs", "fnpsw")
        t.expect("a variable", "fnpsw", WARPWISE_TEST_SHORT="1")
        t.expect("the day", "fnpsw", WARPWISE_DAY="20010101")
        t.expect("that day again", "n", WARPWISE_DAY="20010101")
        t.expect("a GPU that is asked for", "fnpsw", WARPWISE_TEST_DEVICE="cuda")
        t.expect("variables of no account", "n", SHLVL="9", PWD="/")
        t.source = t.source.rename(t.folder / "another-place")
        t.build = t.source / "build"
        shutil.rmtree(t.build)
        t.configure()
        t.expect("a clone elsewhere", "n")
        for kept in pathlib.Path(t.clear["WARPWISE_PASSED"]).iterdir():
            kept.write_text(kept.read_text(encoding="utf-8")[:40], encoding="utf-8")
        t.expect("damaged files of passes", "fnpsw")
        for sentence in t.wrong:
            print(sentence, file=sys.stderr)
        return 1 if t.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
