"""NumPy's sort for the benchmark: reads commands from standard input, answers in lines of JSON (see numpy.c)."""
import json
import mmap
import sys
import time


def say(**answer):
    print(json.dumps(answer), flush=True)


try:
    import numpy
except ImportError:
    sys.exit(1)


def main(file):
    say(version=f"NumPy {numpy.__version__}, Python {sys.version.split()[0]}")
    keys = scratch = None
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "load":
            dtype, count = numpy.dtype({"u32": "u4", "u64": "u8"}[rest[0]]), int(rest[1])
            with mmap.mmap(file, count * dtype.itemsize) as shared:
                keys = numpy.frombuffer(bytes(shared), dtype, count)
            scratch = keys.copy()
            say(ok=True)
        elif word == "sort":
            calls = int(rest[0])
            scratch[:] = keys
            start = time.perf_counter()
            for call in range(calls):
                if call:
                    scratch[:] = keys
                scratch.sort()
            say(seconds=time.perf_counter() - start)
        elif word == "give":
            with mmap.mmap(file, scratch.nbytes) as shared:
                shared[:] = scratch.tobytes()
            say(ok=True)


main(int(sys.argv[1]))
