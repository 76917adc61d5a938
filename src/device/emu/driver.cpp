/* The driver's table, and the names that the shared object shows. Launches are done when they return. */
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/emu/compile.h"
#include "device/emu/emulator.h"
#include "device/emu/launched.h"
#include "device/emu/run.h"

namespace emu {
namespace {

enum { SOONER = 9 /* with a GPU's tiles: what 2^22 elements are worth there comes for 2^13 */ };
enum { THREADS_OF_SYSTEM_MOST = 64, FIBERS_MOST = 16384, FIBERS_MOST_TSAN = 2048 };

struct program;

struct kernel {
    program *home;
    std::string name;
    const ww_emu_kernel *known;
};

struct program {
    int file; /* open as long as the program: its number is a part of the name that dlopen knows it by */
    void *handle;
    uintptr_t start, end;
    std::vector<std::unique_ptr<kernel>> kernels;
};

struct driver {
    ww__driver table; /* first, so that the one is the other */
    emu::memory &memory = emu::all_memory();
    uint32_t threads = 1;
    uint64_t seed = 0;
    bool random = false, tsan = false, counted = true, alone = false;
    uint64_t launches = 0, restarted = 0; /* launches since the last restart */
    ww__tiles tiles = WW__TILES_SMALL;
    std::vector<worker> workers;
    emu::races races;
    std::vector<program *> programs;
    ww__counters counters = {};
};

std::atomic<uint64_t> restarts{0};

driver &of(ww__driver *d) { return *reinterpret_cast<driver *>(d); }

__attribute__((format(printf, 3, 4))) ww_status say(ww__driver *d, ww_status status, const char *format, ...) {
    va_list more;
    va_start(more, format);
    vsnprintf(d->why, sizeof d->why, format, more);
    va_end(more);
    return status;
}

/* ---- memory ---- */

ww_status allocate_as(ww__driver *d, size_t bytes, void **block, bool host) {
    *block = of(d).memory.allocate(bytes, host);
    return *block ? WW_OK : say(d, WW_MEMORY, "the emulator could not allocate %zu bytes", bytes);
}

ww_status allocate(ww__driver *d, size_t bytes, void **block) { return allocate_as(d, bytes, block, false); }
ww_status allocate_host(ww__driver *d, size_t bytes, void **block) { return allocate_as(d, bytes, block, true); }
void release(ww__driver *d, void *block) { of(d).memory.release(block); }

ww__place place(ww__driver *d, const void *pointer) {
    const allocation a = of(d).memory.find(reinterpret_cast<uintptr_t>(pointer));
    return !a.base ? WW__PLACE_UNREACHABLE : a.host ? WW__PLACE_HOST : WW__PLACE_DEVICE;
}

/* Copies and fills that begin in a block end in it, and what they touch of it is open. */
ww_status look(ww__driver *d, const char *what, const void *pointer, size_t bytes) {
    uintptr_t at = reinterpret_cast<uintptr_t>(pointer);
    const allocation a = of(d).memory.find(at);
    if (!a.base || !bytes) return WW_OK;
    if (bytes > a.end - at)
        return say(d, WW_LOST, "a %s of %zu bytes goes beyond the end of a block of the device's memory", what, bytes);
    if (bytes > a.open_end - at)
        return say(d, WW_LOST, "a %s of %zu bytes at %zu of a block of %zu goes into an inaccessible part", what, bytes,
                   static_cast<size_t>(at - a.start), static_cast<size_t>(a.end - a.start));
    return WW_OK;
}

ww_status copy(ww__driver *d, void *to, const void *from, size_t bytes) {
    ww_status status = look(d, "copy", to, bytes);
    if (!status) status = look(d, "copy", from, bytes);
    if (!status && bytes) memmove(to, from, bytes);
    return status;
}

/* Copies are done when they return, wherever they are queued. */
ww_status copy_aside(ww__driver *d, ww__aside, void *to, const void *from, size_t bytes) {
    return copy(d, to, from, bytes);
}
ww_status meet(ww__driver *) { return WW_OK; }

ww_status fill(ww__driver *d, void *to, unsigned char byte, size_t bytes) {
    ww_status status = look(d, "fill", to, bytes);
    if (!status && bytes) memset(to, byte, bytes);
    return status;
}

void poison(ww__driver *d, const void *start, size_t bytes, bool closed) {
    uintptr_t at = reinterpret_cast<uintptr_t>(start);
    of(d).memory.poison(at, at + bytes, closed);
}

ww_status sync(ww__driver *) { return WW_OK; }

/* ---- programs ---- */

/* With alone=1 calls go the ways that they go where nothing compiles; what they ask for is compiled here all the same. */
bool compiles(ww__driver *d) { return !of(d).alone; }

ww_status compile_text(ww__driver *d, const char *source, const ww__header *headers, ww__code *code) {
    std::string why;
    *code = {nullptr, 0};
    ww_status status = compile(source, headers, {of(d).tsan, strstr(d->compiler, "clang") != nullptr}, code, why);
    return status ? say(d, status, "%s", why.c_str()) : WW_OK;
}

/* The addresses that a program was loaded at. */
void find_image(program &p) {
    link_map *map;
    if (dlinfo(p.handle, RTLD_DI_LINKMAP, &map)) return;
    struct wanted {
        uintptr_t base;
        program *p;
    } w = {map->l_addr, &p};
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *data) {
            wanted *w = static_cast<wanted *>(data);
            if (info->dlpi_addr != w->base) return 0;
            w->p->start = UINTPTR_MAX;
            for (int i = 0; i < info->dlpi_phnum; i++) {
                if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
                uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
                w->p->start = std::min(w->p->start, start);
                w->p->end = std::max(w->p->end, start + info->dlpi_phdr[i].p_memsz);
            }
            return 1;
        },
        &w);
}

void discard(program *p) {
    if (p->handle) dlclose(p->handle);
    if (p->file >= 0) close(p->file);
    delete p;
}

ww_status load(ww__driver *d, const ww__code *code, void **loaded) {
    program *p = new program();
    p->file = memfd_create("warpwise-emu", MFD_CLOEXEC);
    size_t done = 0;
    while (p->file >= 0 && done < code->size) {
        ssize_t n = write(p->file, static_cast<const char *>(code->bytes) + done, code->size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        done += static_cast<size_t>(n);
    }
    if (done < code->size) {
        discard(p);
        return say(d, WW_FILE, "the emulator could not write a program to a temporary file: %s", strerror(errno));
    }
    std::string name = "/proc/self/fd/" + std::to_string(p->file);
    p->handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!p->handle) {
        discard(p);
        return say(d, WW_COMPILE, "the emulator could not load a program: %s", dlerror());
    }
    const unsigned *version = static_cast<const unsigned *>(dlsym(p->handle, "ww_emu_version"));
    const ww_emu_calls **table = static_cast<const ww_emu_calls **>(dlsym(p->handle, "ww_emu"));
    if (!version || *version != WW_EMU_VERSION || !table) {
        discard(p);
        return say(d, WW_FORMAT, "a program was compiled for another version of the emulator");
    }
    *table = &calls;
    find_image(*p);
    of(d).programs.push_back(p);
    *loaded = p;
    return WW_OK;
}

void unload(ww__driver *d, void *loaded) {
    std::vector<program *> &all = of(d).programs;
    auto at = std::find(all.begin(), all.end(), static_cast<program *>(loaded));
    if (at == all.end()) return;
    discard(*at);
    all.erase(at);
}

ww_status find(ww__driver *d, void *loaded, const char *name, void **found) {
    program *p = static_cast<program *>(loaded);
    void *known = dlsym(p->handle, (std::string(name) + "_emulated").c_str());
    if (!known) return say(d, WW_COMPILE, "the program has no kernel named %s", name);
    p->kernels.emplace_back(new kernel{p, name, static_cast<const ww_emu_kernel *>(known)});
    *found = p->kernels.back().get();
    return WW_OK;
}

/* ---- launches ---- */

/* How many of a launch's blocks a worker has resident. */
size_t resident(const driver &d, uint64_t blocks, uint32_t threads) {
    size_t most = (d.tsan ? FIBERS_MOST_TSAN : FIBERS_MOST) / (threads * d.threads), wanted = RESIDENT;
    if (d.random && !d.tsan)
        wanted = std::max<size_t>(RESIDENT, std::min<size_t>(RESIDENT_RANDOM, RESIDENT_LANES / threads));
    const uint64_t its_part = (blocks + d.threads - 1) / d.threads;
    return std::max<size_t>(1, std::min<uint64_t>({wanted, most, its_part}));
}

/* The workers of a handle that was closed, for the next one: the system takes long to give a thousand stacks. */
struct spare {
    std::mutex lock;
    std::vector<worker> workers;
    bool random = false;
};
spare &spare_workers() {
    static spare all;
    return all;
}

void take_workers(driver &d) {
    spare &s = spare_workers();
    std::lock_guard<std::mutex> hold(s.lock);
    if (!d.tsan && s.random == d.random && s.workers.size() == d.threads)
        s.workers.swap(d.workers);
    else
        std::vector<worker>(d.threads).swap(d.workers);
}

void leave_workers(driver &d) {
    spare &s = spare_workers();
    std::lock_guard<std::mutex> hold(s.lock);
    if (d.tsan || d.workers.empty()) return;
    s.workers.swap(d.workers);
    s.random = d.random;
}

/* Workers and resident blocks for a launch; those of the last launch are used again. */
bool make_room(driver &d, uint64_t blocks, uint32_t threads, size_t shared) {
    if (d.workers.empty()) take_workers(d);
    for (worker &w : d.workers) {
        if (w.blocks.empty()) std::vector<block>(d.random ? RESIDENT_RANDOM : RESIDENT).swap(w.blocks);
        w.resident = resident(d, blocks, threads);
        for (size_t i = 0; i < w.resident; i++) {
            block &b = w.blocks[i];
            b.home = &w;
            b.threads = threads;
            if (b.lanes.size() < threads) std::vector<lane>(threads).swap(b.lanes);
            b.waiting.reserve(threads);
            b.warps.resize((threads + WARP - 1) / WARP);
            if (!b.fibers.make(threads, d.tsan) || !b.shared.make(shared, !d.tsan)) return false;
        }
    }
    return true;
}

void tell_fault(ww__driver *d, const run &r, const program &p) {
    std::string lines;
    for (const void *at : {r.fault_site, r.other_site}) {
        const uintptr_t site = reinterpret_cast<uintptr_t>(at);
        if (site < p.start || site >= p.end) continue; /* a call returns behind itself */
        const std::string line = source_line("/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(p.file),
                                             site - 1 - p.start);
        if (!line.empty()) lines += (lines.empty() ? " (" : at == r.other_site ? "; the other: " : "") + line;
    }
    say(d, WW_LOST, "%s%s%s", r.fault.c_str(), lines.c_str(), lines.empty() ? "" : ")");
}

ww_status launch(ww__driver *d, void *found, uint64_t blocks, uint32_t threads, size_t shared, const void *arguments,
                 size_t bytes, ww__launch_when) {
    driver &self = of(d);
    const kernel &k = *static_cast<const kernel *>(found);
    const char *name = k.name.c_str();
    self.counters = {};
    if (blocks == 0) return WW_OK;
    if (blocks > d->blocks_most)
        return say(d, WW_INVALID, "kernel %s: %zu blocks are too many", name, static_cast<size_t>(blocks));
    if (threads == 0 || threads > THREADS_MOST || threads > k.known->threads)
        return say(d, WW_INVALID, "kernel %s: blocks of %u threads, of at most %u", name, threads, k.known->threads);
    if (bytes != k.known->bytes || bytes > WW__ARGUMENTS_MOST)
        return say(d, WW_INVALID, "kernel %s takes a struct of %lu bytes, not of %zu", name, k.known->bytes, bytes);
    if (shared > SHARED_MOST)
        return say(d, WW_INVALID, "kernel %s: %zu bytes of shared memory, of at most %d", name, shared,
                   static_cast<int>(SHARED_MOST));
    if (!make_room(self, blocks, threads, shared))
        return say(d, WW_MEMORY, "the emulator has no memory for %u fibers", threads);

    alignas(64) char copied[WW__ARGUMENTS_MOST];
    memcpy(copied, arguments, bytes);
    run r;
    r.name = k.name;
    r.kernel = k.known;
    r.arguments = copied;
    r.blocks = static_cast<uint32_t>(blocks);
    r.threads = threads;
    r.shared_large = shared;
    r.random = self.random;
    r.watched = !self.tsan;
    r.counted = self.counted && !self.tsan;
    if (self.restarted != restarts) {
        self.restarted = restarts;
        self.launches = 0;
    }
    /* Launches of a handle differ from one another, and so do handles' that differ in their seeds. */
    r.seed = (self.seed + 1) * 0x9E3779B97F4A7C15u + self.launches++ * 0xD1342543DE82EF95u;
    r.in_order = self.random && r.seed >> 62 & 1;
    r.races = &self.races;
    r.reaches_all = d->reaches_all;
    r.memory = &self.memory;
    r.image_start = k.home->start;
    r.image_end = k.home->end;
    r.fault_site = r.other_site = nullptr;
    bool well = run_all(r, self.workers);
    for (const worker &w : self.workers) {
        const ww__counters &c = w.counters.total;
        self.counters.warp_accesses += c.warp_accesses;
        self.counters.sectors += c.sectors;
        self.counters.shared_accesses += c.shared_accesses;
        self.counters.bank_conflicts += c.bank_conflicts;
        self.counters.warp_operations += c.warp_operations;
    }
    if (well) note_launched(k.known->file, k.name);
    if (well) return WW_OK;
    tell_fault(d, r, *k.home);
    return WW_LOST;
}

void close_driver(ww__driver *d) {
    for (program *p : of(d).programs) discard(p);
    leave_workers(of(d));
    delete &of(d);
}

/* ---- opening ---- */

bool number(const std::string &text, uint64_t most, uint64_t &value) {
    if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return false;
    errno = 0;
    value = strtoull(text.c_str(), nullptr, 10);
    return !errno && value <= most;
}

/* Reads "threads=2,seed=7,tiles=gpu"; the sentence when it cannot. */
std::string read_options(driver &d, const char *options) {
    std::string all = options ? options : "";
    for (size_t start = 0; start < all.size();) {
        size_t end = std::min(all.find(',', start), all.size()), equals = all.find('=', start);
        std::string one = all.substr(start, end - start),
                    value = equals < end ? all.substr(equals + 1, end - equals - 1) : "";
        std::string key = equals < end ? all.substr(start, equals - start) : one;
        uint64_t n = 0;
        if (key == "threads") {
            if (!number(value, THREADS_OF_SYSTEM_MOST, n) || n == 0)
                return "threads=\"" + value + "\" is not a number from 1 to " + std::to_string(THREADS_OF_SYSTEM_MOST);
            d.threads = static_cast<uint32_t>(n);
        } else if (key == "seed") {
            if (!number(value, UINT64_MAX, n)) return "seed=\"" + value + "\" is not a number";
            d.seed = n;
            d.random = true;
        } else if (key == "counters") {
            if (!number(value, 1, n)) return "counters=\"" + value + "\" is neither 0 nor 1";
            d.counted = n;
        } else if (key == "tiles") {
            if (value != "gpu" && value != "small") return "tiles=\"" + value + "\" is neither gpu nor small";
            d.tiles = value == "gpu" ? WW__TILES_GPU : WW__TILES_SMALL;
        } else if (key == "reach") {
            if (value != "all" && value != "own") return "reach=\"" + value + "\" is neither all nor own";
            d.table.reaches_all = value == "all";
        } else if (key == "alone") {
            if (!number(value, 1, n)) return "alone=\"" + value + "\" is neither 0 nor 1";
            d.alone = n;
        } else if (key == "tsan") {
            if (!number(value, 1, n)) return "tsan=\"" + value + "\" is neither 0 nor 1";
            d.tsan = n;
        } else {
            return "the emulator knows no option \"" + one + "\"";
        }
        start = end + 1;
    }
    return "";
}

void describe(driver &d) {
    ww__driver &t = d.table;
    std::string version = compiler_version();
    char digest[WW__DIGEST_TEXT];
    t.backend = "emu";
    snprintf(t.description, sizeof t.description, "emulator, %u thread%s%s%s", d.threads, d.threads > 1 ? "s" : "",
             d.tiles == WW__TILES_GPU ? ", tiles as a GPU's" : "", d.tsan ? ", for the thread sanitizer" : "");
    compiler_digest(version, digest);
    /* The digest stands first, and is of the version, too: a long one is cut off. */
    snprintf(t.compiler, sizeof t.compiler, "emu%s %s %s", d.tsan ? "-tsan" : "", digest,
             version.empty() ? "no compiler" : version.c_str());
    /* A GPU's plans give each processor several blocks; small ones take each of these for a processor. */
    t.processors = d.tiles == WW__TILES_GPU ? d.threads : d.threads * RESIDENT;
    t.blocks_most = INT32_MAX;
    t.shared_most = SHARED_MOST;
    t.tiles = d.tiles;
    t.sooner = d.tiles == WW__TILES_GPU ? SOONER : 0;
    t.memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    t.compiles = compiles;
    t.close = close_driver;
    t.allocate = allocate;
    t.release = release;
    t.allocate_host = allocate_host;
    t.release_host = release;
    t.place = place;
    t.poison = poison;
    t.copy = copy;
    t.copy_aside = copy_aside;
    t.meet = meet;
    t.fill = fill;
    t.sync = sync;
    t.compile = compile_text;
    t.load = load;
    t.unload = unload;
    t.find = find;
    t.launch = launch;
}

} // namespace
} // namespace emu

#define WW_EMU_SHOWN extern "C" __attribute__((visibility("default")))

WW_EMU_SHOWN ww__driver *ww__emulator_open(const char *options, ww_status *status, char *why, size_t room) {
    std::unique_ptr<emu::driver> d(new (std::nothrow) emu::driver());
    *status = WW_MEMORY;
    std::string wrong = "out of memory";
    if (d) {
        *status = WW_INVALID;
        d->tsan = emu::thread_sanitizer();
        wrong = emu::read_options(*d, options);
        if (wrong.empty() && d->tsan && !emu::thread_sanitizer()) {
            *status = WW_UNSUPPORTED;
            wrong = "tsan=1 needs a program built with -fsanitize=thread, or started with LD_PRELOAD=libtsan.so";
        } else if (wrong.empty() && !d->tsan && emu::built_for_thread_sanitizer()) {
            wrong = "tsan=0 is not possible where the emulator itself was built with -fsanitize=thread";
        }
    }
    if (!wrong.empty()) {
        if (room) snprintf(why, room, "%s", wrong.c_str());
        return nullptr;
    }
    emu::describe(*d);
    *status = WW_OK;
    return &d.release()->table;
}

WW_EMU_SHOWN ww_status ww__emulator_look(const char *source, const ww__header *headers, char *why, size_t room) {
    std::string wrong;
    ww_status status = emu::look(source, headers, wrong);
    if (room) snprintf(why, room, "%s", wrong.c_str());
    return status;
}

WW_EMU_SHOWN void ww__emulator_counters(const ww__driver *driver, struct ww__counters *counters) {
    *counters = reinterpret_cast<const emu::driver *>(driver)->counters;
}

WW_EMU_SHOWN void ww__emulator_restart(void) { emu::restarts++; }

WW_EMU_SHOWN void ww__emulator_poison(ww__driver *driver, const void *start, size_t bytes, int closed) {
    driver->poison(driver, start, bytes, closed != 0);
}
