#!/usr/bin/env python3
"""tools/check-includes finds each kind of include that may not be, in a tree of a few lines that is right without it."""
import os
import subprocess
import sys
import tempfile

SCRIPT = sys.argv[1]
RIGHT = {
    "src/device/device.h": '#include "warpwise/device.h"\n',
    "src/device/emu/memory.h": "",
    "src/function/function.h": '#include "device/device.h"\n',
    "src/function/check.h": '#include "function/function.h"\n',
    "src/function/types.h": "",
    "src/function/built_in.h": "",
    "src/primitive/map/map.h": '#include "function/function.h"\n',
    "src/primitive/map/map_gpu.h": '#include "primitive/map/map.h"\n',
    "src/primitive/scan/scan.c": '#include "primitive/map/map.h"\n',
    "src/primitive/scan/scan.h": "",
    "src/sort/sort.h": '#include "primitive/map/map.h"\n',
    "src/text/text.h": "",
}
# What is planted where, and what the script says then.
WRONG = [
    ("src/device/device.h", "function/function.h", "an arrow up, from device to function"),
    ("src/primitive/map/map.h", "sort/sort.h", "an arrow up, from primitive to sort"),
    ("src/sort/sort.h", "primitive/map/map_gpu.h", "a private header of primitive/map"),
    ("src/primitive/scan/scan.h", "primitive/map/map_gpu.h", "a private header of primitive/map"),
    ("src/sort/sort.h", "primitive/pack/sink.h", "shared, and not with sort"),
    ("src/sort/sort.h", "radix/division.h", "shared, and not with sort"),
    ("src/sort/sort.h", "device/emu/memory.h", "a driver's own file"),
    ("src/device/device.h", "device/emu/memory.h", "a driver's own file"),
    ("src/primitive/map/map.h", "primitive/scan/scan.h", "a circle of modules: primitive/map, primitive/scan"),
    ("src/primitive/map/map.h", "primitive/map/map_gpu.h", "a circle of includes: primitive/map/map.h, primitive/map/map_gpu.h"),
    ("src/sort/sort.h", "warpwise/function_loops.h", "a private header of function.h"),
    ("src/cellar/cellar.h", "device/device.h", "cellar/ is in no layer"),
]


def look(files):
    """The script's status and what it says of a tree of these files."""
    with tempfile.TemporaryDirectory() as root:
        # What others may include has to be there.
        shared = [line.split('"')[1] for line in open(SCRIPT, encoding="utf-8")
                  if line.startswith('    "') and '": ' in line and "/" in line.split('"')[1]]
        for name in shared:
            files.setdefault("src/" + name, "")
        for name, text in files.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        ran = subprocess.run([sys.executable, SCRIPT, "--root", root], capture_output=True, text=True)
        return ran.returncode, ran.stderr


def main():
    status, said = look(dict(RIGHT))
    failed = [f"the tree without a plant: {said}"] if status else []
    for name, other, expected in WRONG:
        files = dict(RIGHT)
        files[name] = files.get(name, "") + f'#include "{other}"\n'
        status, said = look(files)
        if status != 1 or expected not in said:
            failed.append(f"{name} includes {other}: status {status}, and says: {said}")
    print("\n".join(failed), file=sys.stderr, end="\n" if failed else "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
