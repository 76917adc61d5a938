#!/bin/sh
# The install test: run.sh SOURCE BUILD
#
# Installs the built project into a folder of its own and looks at it as a stranger does:
#   1  the shared library has its soname, and shows ww_ names only, none of them internal (ww__)
#   2  every public header compiles alone, as C11 and C++17, with gcc and clang, without a warning
#   3  every example builds against the installed copy through pkg-config, as C11 and as C++17, and runs
#   4  some of them through find_package, with the static library too
# CTest calls it with the compiler and its flags in the environment (CC, FLAGS, …; see cmake/install.cmake). By hand:
#   CC=gcc sh tests/install/run.sh . build
set -eu

source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
CMAKE=${CMAKE:-cmake} CC=${CC:-cc} FLAGS=${FLAGS:-} NM=${NM:-nm} READELF=${READELF:-readelf} LIBDIR=${LIBDIR:-lib}
# Lists come with semicolons between their parts.
EMULATOR=$(printf %s "${EMULATOR:-}" | tr ';' ' ') LAUNCHER=$(printf %s "${LAUNCHER:-}" | tr ';' ' ')
warnings="-Wall -Wextra -Wpedantic -Wconversion -Werror"

work=$(mktemp -d "${TMPDIR:-/tmp}/warpwise-install.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
prefix=$work/prefix
lib=$prefix/$LIBDIR
# Compiled here, so that ccache knows what an earlier run compiled in another such folder.
cp -R "$source/examples" "$work/examples"
cd "$work"
case $LAUNCHER in
    "env CCACHE_BASEDIR="*) LAUNCHER="env CCACHE_BASEDIR=$work ${LAUNCHER##* }" ;;
esac

fail() {
    printf 'install test: %s\n' "$*" >&2
    exit 1
}

# The C++ compiler beside the C compiler: gcc-12 and g++-12, clang and clang++, cc and c++.
beside() {
    case ${1##*/} in
        *clang*) name=$(printf %s "${1##*/}" | sed 's/clang/clang++/') ;;
        *gcc*) name=$(printf %s "${1##*/}" | sed 's/gcc/g++/') ;;
        *) name=c++ ;;
    esac
    case $1 in
        */*) name=${1%/*}/$name ;;
    esac
    command -v "$name" || true
}

# run LABEL PROGRAM: an example, which says itself whether it is right.
run() {
    # shellcheck disable=SC2086
    LD_LIBRARY_PATH=$lib $EMULATOR "$2" >"$work/output" 2>&1 || {
        cat "$work/output" >&2
        fail "$1 failed; it was built against the installed copy"
    }
    runs=$((runs + 1))
}
runs=0

case $LIBDIR in
    /*)
        echo "left out: libraries go to $LIBDIR, an absolute path, and the test installs into a folder of its own"
        exit 0
        ;;
esac
"$CMAKE" --install "$build" --prefix "$prefix" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "cmake --install failed (build everything first)"
}

# ---- 1: what the shared library shows ----
"$READELF" -d "$lib/libwarpwise.so" | grep -q 'SONAME.*\[libwarpwise\.so\.0\.2\]' || fail "the soname is not libwarpwise.so.0.2"
case $FLAGS in
    *-fsanitize*) echo "names are not looked at: sanitizers add their own" ;;
    *)
        "$NM" -D --defined-only "$lib/libwarpwise.so" | awk '$2 != "A" { print $NF }' | sed 's/@.*//' | sort >"$work/names"
        grep -q '^ww_open$' "$work/names" || fail "libwarpwise.so does not show ww_open"
        stray=$(grep -v '^ww_' "$work/names" || true)
        [ -z "$stray" ] || fail "libwarpwise.so shows names without ww_ before them:" $stray
        stray=$(grep '__' "$work/names" || true)
        [ -z "$stray" ] || fail "libwarpwise.so shows internal names:" $stray
        # The environment of a setuid program is its caller's: secure_getenv alone shows none of it.
        for library in "$lib"/libwarpwise.so "$lib"/libwarpwise-emu.so "$prefix"/bin/warpwise; do
            [ ! -e "$library" ] || ! "$NM" -D --undefined-only "$library" | grep -qw 'getenv' || fail "$library calls getenv"
        done
        stray=$(grep '_ww$' "$work/names" || true)
        [ -z "$stray" ] || fail "libwarpwise.so shows names that are callers' (they end in _ww):" $stray
        echo "libwarpwise.so.0.2 shows $(wc -l <"$work/names") names, all of them ww_"
        ;;
esac

# Where pages are made (help2man), each subcommand has its own.
if [ -e "$build/man/warpwise.1" ]; then
    for name in $(LD_LIBRARY_PATH=$lib $EMULATOR "$prefix/bin/warpwise" --help | sed -n 's/^  \([a-z][a-z]*\)   *.*$/\1/p'); do
        LD_LIBRARY_PATH=$lib $EMULATOR "$prefix/bin/warpwise" "$name" --help >"$work/output" 2>&1 || continue # bench, where it is not built
        grep -q "^\.B warpwise" "$prefix/share/man/man1/warpwise-$name.1" || fail "there is no page of 'warpwise $name'"
    done
    [ -e "$prefix/share/man/man7/warpwise.7" ] || fail "there is no warpwise(7)"
    echo "$(ls "$prefix"/share/man/man1 | wc -l) pages of the command"
else
    echo "left out: man pages; help2man is not installed"
fi

# ---- 2: every header alone ----
alone() { # COMPILER LANGUAGE STANDARD
    command -v "$1" >/dev/null || {
        echo "headers are not tried with $1: it is not here"
        return 0
    }
    quiet= # a wrapper hands clang what it needs for linking, too
    case $1 in *clang*) quiet=-Wno-unused-command-line-argument ;; esac
    for header in "$prefix"/include/warpwise.h "$prefix"/include/warpwise/*.h; do
        name=${header#"$prefix"/include/}
        printf '#include <%s>\n#include <%s>\n' "$name" "$name" >"$work/alone"
        compiler=$1 through=$LAUNCHER
        case $name in # mpi.h is found by a wrapper around this compiler
            */group_mpi.h) through= compiler="env OMPI_CC=$1 MPICH_CC=$1 mpicc -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX $quiet" ;;
        esac
        # shellcheck disable=SC2086
        $through $compiler -x "$2" -std="$3" $warnings -c -I "$prefix/include" "$work/alone" -o "$work/alone.o" ||
            fail "<$name> does not compile alone with $1 -std=$3"
    done
    case $2 in
        c++)
            printf '#include <warpwise.hpp>\n#include <warpwise.hpp>\n' >"$work/alone"
            # shellcheck disable=SC2086
            $LAUNCHER "$1" -x c++ -std="$3" $warnings -Wold-style-cast -c -I "$prefix/include" "$work/alone" -o "$work/alone.o" ||
                fail "<warpwise.hpp> does not compile alone with $1 -std=$3"
            ;;
    esac
    echo "every header compiles alone with $1 -std=$3"
}
alone gcc c c11
alone clang c c11
alone g++ c++ c++17
alone clang++ c++ c++17

CXX=${CXX:-$(beside "$CC")}
[ -n "$CXX" ] || echo "the C++ half is left out: there is no C++ compiler beside $CC"

# ---- 3: pkg-config ----
flags_of() { PKG_CONFIG_PATH=$lib/pkgconfig pkg-config "$@" warpwise; }
if command -v pkg-config >/dev/null; then
    cflags=$(flags_of --cflags) libs=$(flags_of --libs) more=$(flags_of --static --libs)
    for example in examples/*.c; do
        name=$(basename "$example" .c)
        # shellcheck disable=SC2086
        $LAUNCHER "$CC" -std=c11 -O2 $FLAGS $warnings $cflags -c "$example" -o "$work/$name.o" || fail "$name, as C11"
        # shellcheck disable=SC2086
        "$CC" $FLAGS "$work/$name.o" -o "$work/$name" $libs -lm || fail "$name does not link"
        run "$name (C11, pkg-config)" "$work/$name"
        if [ -n "$CXX" ]; then
            # Loops optimised as callers' C++ are check_loops.cpp's matter.
            # shellcheck disable=SC2086
            $LAUNCHER "$CXX" -x c++ -std=c++17 -O2 -DWARPWISE_LOOPS_UNTUNED $FLAGS $warnings $cflags -c "$example" -o "$work/$name.o" ||
                fail "$name, as C++17"
            # shellcheck disable=SC2086
            "$CXX" $FLAGS "$work/$name.o" -o "$work/$name" $libs || fail "$name does not link as C++17"
            run "$name (C++17, pkg-config)" "$work/$name"
        fi
    done
    # The static library with what pkg-config says it needs besides.
    static=$(printf ' %s ' "$more" | sed "s| -lwarpwise | $lib/libwarpwise.a |")
    # shellcheck disable=SC2086
    "$CC" -std=c11 -O2 $FLAGS $cflags examples/first.c -o "$work/first" $static || fail "first, static"
    if "$READELF" -d "$work/first" | grep -q libwarpwise; then fail "first was to be linked with the static library"; fi
    run "first (static, pkg-config)" "$work/first"
    echo "pkg-config: $runs programs right"
else
    echo "pkg-config is not here, and not tried"
fi

# ---- 4: find_package ----
before=$runs
set -- -S "$source/tests/install/consumer" -B "$work/consumer" "-DEXAMPLES=$work/examples" \
    "-DCMAKE_PREFIX_PATH=$prefix" "-Dwarpwise_DIR=$lib/cmake/warpwise" "-DCMAKE_C_COMPILER=$CC" "-DCMAKE_C_FLAGS=$FLAGS"
if [ -n "$CXX" ]; then
    set -- "$@" "-DCMAKE_CXX_COMPILER=$CXX" "-DCMAKE_CXX_FLAGS=$FLAGS"
else
    set -- "$@" -DWITH_CXX=OFF
fi
[ -z "${TOOLCHAIN:-}" ] || set -- "$@" "-DCMAKE_TOOLCHAIN_FILE=$TOOLCHAIN"
list=$(printf %s "$LAUNCHER" | tr ' ' ';')
[ -z "$list" ] || set -- "$@" "-DCMAKE_C_COMPILER_LAUNCHER=$list" "-DCMAKE_CXX_COMPILER_LAUNCHER=$list"
{ "$CMAKE" "$@" && "$CMAKE" --build "$work/consumer" --parallel 2; } >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "a project with find_package(warpwise) does not build"
}
for program in "$work"/consumer/c/* "$work"/consumer/static/* "$work"/consumer/cxx/*; do
    [ -x "$program" ] || continue
    run "${program#"$work"/} (find_package)" "$program"
done
[ "$runs" -gt "$before" ] || fail "find_package built no program"
echo "find_package: $((runs - before)) programs right"

# ---- the kernel pack, where it was built: beside the library, which looks for it there ----
pack=warpwise-kernels.pack
if grep -q '^build kernel_pack:' "$build/build.ninja" 2>/dev/null; then
    cmp -s "$build/$pack" "$lib/$pack" || fail "$pack is not installed beside the library"
    echo "$pack is beside the library"
fi

# ---- the command ----
if [ -x "$prefix/bin/warpwise" ]; then
    # shellcheck disable=SC2086
    $EMULATOR "$prefix/bin/warpwise" info >"$work/output" 2>&1 || {
        cat "$work/output" >&2
        fail "the installed command does not run"
    }
    echo "the installed command runs"
fi
