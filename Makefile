# The front door. `make run` and `make test` need nothing before them: they install what is missing (where they may)
# and build. Everything that is made goes to build/ and build-*/.

BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
PACK ?= AUTO
space := $() $()

.PHONY: all run test test-gpu conflicts bench bench-gpu install docs format sanitize clang arm fuzz coverage valgrind mutants clean help

all: ## builds the library and the command build/warpwise
	@tools/setup build
	@cmake -S . -B $(BUILD) -G Ninja -DWARPWISE_TESTS=OFF -DWARPWISE_BENCH=OFF -DWARPWISE_KERNEL_PACK=OFF \
	    -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

run: ## shows the library at work on this machine's files, every result checked
	@tools/setup build
	@cmake -S . -B $(BUILD) -G Ninja -DWARPWISE_TESTS=OFF -DWARPWISE_BENCH=OFF -DWARPWISE_KERNEL_PACK=OFF >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)
	@$(BUILD)/warpwise tour

# What passed before with the same program and inputs, on the same day, is not run again: tools/run-tests says how that is told.
RUN_TESTS = tools/run-tests $(if $(AGAIN),--again)
test: ## builds and runs all tests that have not passed today with the same program and inputs; AGAIN=1 runs them all
	@tools/setup test $(BUILD)
	@cmake -S . -B $(BUILD) -G Ninja -DWARPWISE_TESTS=ON -DWARPWISE_BENCH=ON \
	    -DWARPWISE_BENCH_PEERS=OFF -DWARPWISE_KERNEL_PACK=OFF >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)
	@$(RUN_TESTS) $(BUILD) -j $(JOBS)
	@tools/test-report $(BUILD)

bench: ## measures every primitive beside the machine's copy rate and other libraries (about ten minutes)
	@tools/setup bench $(BUILD)
	@cmake -S . -B $(BUILD) -G Ninja -DWARPWISE_BENCH=ON -DWARPWISE_BENCH_PEERS=ON -DWARPWISE_KERNEL_PACK=OFF >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)
	@$(BUILD)/warpwise bench --peers --json=$(BUILD)/bench.json --plot=$(BUILD)/bench.svg

test-gpu: ## builds, and runs the tests on the first NVIDIA GPU, plain and under compute-sanitizer
	@tools/setup test
	@cmake -S . -B $(BUILD) -G Ninja -DWARPWISE_TESTS=ON -DWARPWISE_KERNEL_PACK=OFF >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)
	@tools/test-gpu $(BUILD)/tests

conflicts: ## counts the bank conflicts of tiles on the first NVIDIA GPU, within a minute (needs ncu)
	@tools/setup test
	@cmake -S . -B $(BUILD) -G Ninja -DWARPWISE_TESTS=ON -DWARPWISE_KERNEL_PACK=OFF >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target test_tiles
	@tools/conflicts $(BUILD)/tests

bench-gpu: ## measures the first NVIDIA GPU beside CUB (needs nvcc); results go to bench/results/
	@tools/setup build
	@cmake -S . -B $(BUILD) -G Ninja >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target warpwise_static
	@tools/bench-gpu $(BUILD)

# The pack takes some twelve minutes of one core's time: programs of every built-in kind; ninja tells of each part.
install: ## installs to PREFIX (/usr/local), below DESTDIR; with the kernel pack, if NVRTC is here (PACK=OFF: without)
	@tools/setup build
	@mkdir -p $(BUILD)
	@cmake -S . -B $(BUILD) -G Ninja -DWARPWISE_TESTS=OFF -DWARPWISE_BENCH=OFF -DWARPWISE_KERNEL_PACK=$(PACK) \
	    -DCMAKE_INSTALL_PREFIX=$(PREFIX) >$(BUILD)/configured.txt
	@grep -i 'kernel pack' $(BUILD)/configured.txt || true
	@echo "Building the library and the command in $(BUILD)"
	@cmake --build $(BUILD) -j $(JOBS)
	@echo "Installing to $(DESTDIR)$(PREFIX)"
	@cmake --install $(BUILD) --prefix $(PREFIX)

# Tests, which need more than documents do, stay as they are in a build folder that is there.
docs: ## makes the site of the documents and the reference, build/site/index.html, and follows its links; and the man pages
	@tools/setup docs
	@cmake -S . -B $(BUILD) -G Ninja $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DWARPWISE_TESTS=OFF) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target man
	@rm -rf $(BUILD)/site && mkdir -p $(BUILD)/site
	@{ cat tools/site/Doxyfile; echo "OUTPUT_DIRECTORY = $(BUILD)/site"; echo "PROJECT_NUMBER = $$($(BUILD)/warpwise --version)"; } | \
	    sed '$$s/= warpwise /= /' | doxygen - >$(BUILD)/site.log 2>&1 || { cat $(BUILD)/site.log; exit 1; }
	@if [ -s $(BUILD)/site.log ]; then cat $(BUILD)/site.log; exit 1; fi
	@tools/site/check $(BUILD)/site
	@for page in $(BUILD)/man/*.[17]; do mandoc -T lint -W error $$page || exit 1; done
	@echo "$(BUILD)/site/index.html, and $$(ls $(BUILD)/man | wc -l) man pages in $(BUILD)/man"

format: ## formats the C sources in place
	@tools/setup format
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

# A build of its own for each sanitizer. Tests marked `install` build other things themselves. Of what runs on the emulator
# `make test` runs all, with the emulator's own checks of every access; the address sanitizer sees what the host does around a
# few of them (emulated-few), with the kernels that `make test` has compiled. Of the rest it gets one case in 6, without
# AVX-512. Three checks of the undefined-behaviour sanitizer are left to the fuzz targets: they take half of the time to compile, and
# the address sanitizer stops where a pointer that they warn of is used. The thread sanitizer makes tests ten times as slow: of those where threads hand something on, one case in 12; what
# they hand on does not depend on the vectors' width.
THREADED = cli_find device reduce scan pack split scatter run histogram merge set multisplit sort sort_merge top \
    find find_many slab_history slab_kernel engines group group_device group_dictionary group_failures group_lend group_reduce group_scan \
    group_split group_sort
#
# Debug information names no folder: ccache gives another clone's objects (CCACHE_NOHASHDIR), tools/run-tests its passes.
DEBUG = -g1 -fdebug-prefix-map=$(CURDIR)=.
SANITIZED = -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1 -DWARPWISE_BENCH=OFF -DWARPWISE_EXAMPLES=OFF
ADDRESS = -fsanitize=address,undefined -fno-sanitize=null,object-size,pointer-overflow -fno-sanitize-recover=all
sanitize: ## runs the tests under the address, undefined-behaviour and thread sanitizers
	@tools/setup test
	@cmake -S . -B $(BUILD)-address -G Ninja $(SANITIZED) -DWARPWISE_WIDTHS=2 -DWARPWISE_COVERAGE=OFF \
	    -DWARPWISE_TESTS_OPTIMISED=-O0 -DCMAKE_C_FLAGS="-O1 $(DEBUG) $(ADDRESS)" >/dev/null
	@CCACHE_NOHASHDIR=1 cmake --build $(BUILD)-address -j $(JOBS)
	@WARPWISE_TEST_SHORT=6 $(RUN_TESTS) $(BUILD)-address -j $(JOBS) -LE 'install|emulated|once'
	@WARPWISE_TEST_SHORT=9 $(RUN_TESTS) $(BUILD)-address -j $(JOBS) -L emulated-few
	@cmake -S . -B $(BUILD)-thread -G Ninja $(SANITIZED) -DWARPWISE_WIDTHS=1 -DWARPWISE_EMULATOR=OFF \
	    -DCMAKE_C_FLAGS="-O1 $(DEBUG) -fsanitize=thread" >/dev/null
	@CCACHE_NOHASHDIR=1 cmake --build $(BUILD)-thread -j $(JOBS) --target $(addprefix test_,$(THREADED))
	@WARPWISE_TEST_SHORT=12 TSAN_OPTIONS=halt_on_error=1 $(RUN_TESTS) $(BUILD)-thread -j $(JOBS) \
	    -R '^test_($(subst $(space),|,$(THREADED)))$$'

# One build for both. Less optimised than what users get, for it runs once: check_loops.h says -O2 itself.
CLANG = -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 -DWARPWISE_WERROR=ON -DWARPWISE_BENCH=OFF \
    -DWARPWISE_EMULATOR=OFF -DWARPWISE_FUZZ=ON -DWARPWISE_TESTS_OPTIMISED=-O0
clang: ## builds with clang, warnings as errors, and runs the tests of functions and primitives
	@tools/setup test
	@tools/setup clang
	@cmake -S . -B $(BUILD)-clang -G Ninja $(CLANG) >/dev/null
	@cmake --build $(BUILD)-clang -j $(JOBS)
	@WARPWISE_TEST_SHORT=5 $(RUN_TESTS) $(BUILD)-clang -j $(JOBS) -LE 'install|emulated|once|fuzz'

arm: ## cross-builds for 64-bit Arm and runs the tests in an emulator
	@tools/setup arm
	@cmake -S . -B $(BUILD)-arm -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DCMAKE_BUILD_TYPE=None \
	    -DCMAKE_C_FLAGS="-O1 -DWARPWISE_LOOPS_UNTUNED" -DWARPWISE_BENCH=OFF -DWARPWISE_EXAMPLES=OFF >/dev/null
	@cmake --build $(BUILD)-arm -j $(JOBS)
	@WARPWISE_TEST_SHORT=30 $(RUN_TESTS) $(BUILD)-arm -j $(JOBS) -LE 'install|emulated|once'

fuzz: ## feeds the parsers, the searches and random calls input from a corpus for 5 to 10 seconds each
	@tools/setup test
	@tools/setup fuzz
	@cmake -S . -B $(BUILD)-clang -G Ninja $(CLANG) >/dev/null
	@CCACHE_NOHASHDIR=1 cmake --build $(BUILD)-clang -j $(JOBS) --target \
	    fuzz_npy fuzz_pack fuzz_arguments fuzz_find fuzz_calls fuzz_slab fuzz_graph fuzz_csv fuzz_dict fuzz_lsm
	@cd $(BUILD)-clang && ctest --output-on-failure -j $(JOBS) -L fuzz

# Not in CI: it compiles the library once more, and what counts lines cannot be taken from the run before. Every test program, thinned, those on the emulator too; but not the one that has
# calls of the system fail, those that write the counters among them.
coverage: ## says which of the library's lines and functions the tests run
	@tools/setup test
	@tools/setup coverage
	@cmake -S . -B $(BUILD)-coverage -G Ninja -DWARPWISE_COVERAGE=ON -DWARPWISE_KERNEL_PACK=OFF -DWARPWISE_BENCH=OFF \
	    -DWARPWISE_EXAMPLES=OFF >/dev/null
	@cmake --build $(BUILD)-coverage -j $(JOBS)
	@find $(BUILD)-coverage -name '*.gcda' -delete
	@cd $(BUILD)-coverage && WARPWISE_TEST_SHORT=8 ctest --output-on-failure -j $(JOBS) \
	    -E '^(install|test_kernel_text|kernels_all_ran|tour|emulated_tour|test_cli_faults)$$'
	@tools/coverage $(BUILD)-coverage

# Once a release. Memory that nobody wrote is what valgrind finds and the address sanitizer does not. It has no AVX-512. A GPU's
# threads have arrays of their own, at which the emulator does not look: gcc does, for some of the kernels.
CHECKED = recipe random_calls find_stream search merge top map reduce scan pack split
BOUNDED = run scan histogram sort_blocks slab_kernel find_many merge top reduce
BOUNDS = -fsanitize=bounds-strict -fsanitize-undefined-trap-on-error
valgrind: ## runs one case in many of the tests under valgrind's memcheck, and some with kernels that check their own arrays
	@tools/setup test
	@tools/setup valgrind
	@cmake -S . -B $(BUILD) -G Ninja -DWARPWISE_TESTS=ON -DWARPWISE_KERNEL_PACK=OFF >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target $(sort $(addprefix test_,$(CHECKED) $(BOUNDED))) warpwise_emu
	@for name in $(CHECKED); do \
	    WARPWISE_TEST_SHORT=60 valgrind -q --fair-sched=yes --leak-check=full --error-exitcode=9 \
	        $(BUILD)/tests/test_$$name >$(BUILD)/valgrind.txt 2>&1 || { cat $(BUILD)/valgrind.txt; exit 1; }; \
	    echo "valgrind: test_$$name: nothing ($$(tail -n 1 $(BUILD)/valgrind.txt))"; \
	done
	@WARPWISE_TEST_SHORT=9 WARPWISE_EMU_FLAGS='$(BOUNDS)' $(RUN_TESTS) $(BUILD) -j $(JOBS) \
	    -R '^emulated_($(subst $(space),|,$(BOUNDED)))$$'

# Not in CI. It goes on where it was stopped; MUTANTS='--only src/sort --minutes 30' hands options on.
mutants: ## plants faults in the library, one at a time, and sees that the tests notice (hours)
	@tools/setup test
	@python3 tools/mutants/mutants.py --build $(BUILD)-mutants --jobs $(JOBS) $(MUTANTS)

clean: ## removes everything that was built
	rm -rf $(BUILD) $(BUILD)-address $(BUILD)-thread $(BUILD)-clang $(BUILD)-arm $(BUILD)-coverage $(BUILD)-mutants $(BUILD)-mutants-counts

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12
