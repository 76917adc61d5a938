// Hyperscan: literals compiled before the clock runs, block mode. It says where a match ends; where it begins follows from the
// literal's length. Of many literals it says them in the order of their ends: they are sorted after the clock has stopped.
#include <hs/hs.h>

#include <cstdio>

#include "halves.h"

namespace {

struct compiled {
    hs_database_t *database = nullptr;
    std::vector<hs_scratch_t *> scratch;
    unsigned serial = 0, turn = 0;
    bool many = false;

    void clear() {
        for (hs_scratch_t *s : scratch) hs_free_scratch(s);
        scratch.clear();
        if (database) hs_free_database(database);
        database = nullptr;
    }
};
compiled now;

// Literals of this work, from `first` on.
bool compile(const bench_work *w, size_t first, size_t count) {
    const bench_patterns &p = w->patterns;
    std::vector<const char *> literals;
    std::vector<unsigned> flags(count, 0), ids;
    std::vector<size_t> lengths;
    for (size_t k = first; k < first + count; k++) {
        literals.push_back(reinterpret_cast<const char *>(p.bytes + p.offsets[k]));
        lengths.push_back(p.offsets[k + 1] - p.offsets[k]);
        ids.push_back(static_cast<unsigned>(k));
    }
    hs_compile_error_t *error = nullptr;
    if (hs_compile_lit_multi(literals.data(), flags.data(), ids.data(), lengths.data(), static_cast<unsigned>(count),
                             HS_MODE_BLOCK, nullptr, &now.database, &error) != HS_SUCCESS) {
        hs_free_compile_error(error);
        now.database = nullptr;
        return false;
    }
    now.scratch.assign(halves::threads, nullptr);
    for (hs_scratch_t *&s : now.scratch)
        if (hs_alloc_scratch(now.database, &s) != HS_SUCCESS) return false;
    return true;
}

void prepare(bench_work *w, bool many) {
    const unsigned turn = many ? 0 : w->turn;
    if (now.serial != w->serial || now.turn != turn || now.many != many) {
        now.clear();
        now.serial = w->serial, now.turn = turn, now.many = many;
        if (!(many ? compile(w, 0, w->patterns.count) : compile(w, turn % w->patterns.count, 1))) now.clear();
    }
    if (!now.database) w->cannot = "its compiler refuses such literals";
}

void prepare_one(bench_work *w) { prepare(w, false); }
void prepare_many(bench_work *w) { prepare(w, true); }

struct receiver {
    halves::part *part;
    const bench_work *work;
    size_t base, first, end; // of the piece that is scanned; matches that begin in first … end - 1 count
    uint32_t *numbers;       // or nullptr
};

int receive(unsigned id, unsigned long long, unsigned long long to, unsigned, void *context) {
    receiver &r = *static_cast<receiver *>(context);
    const bench_patterns &p = r.work->patterns;
    const size_t at = r.base + to - (p.offsets[id + 1] - p.offsets[id]);
    if (at < r.first || at >= r.end) return 0;
    if (r.numbers && r.part->count < r.part->room) r.numbers[r.part->count] = id;
    r.part->found(at);
    return 0;
}

// hs_scan takes less than 2^32 bytes: halves of larger texts are cut again, and pieces overlap by the longest literal.
void scan(bench_work *w, size_t longest, bool many) {
    const char *text = static_cast<const char *>(w->in);
    const size_t n = w->n, room = halves::room_of(w) / halves::threads;
    if (!now.database) return;
    halves::run(w, [=](halves::part &p, unsigned t, size_t first, size_t end) {
        const size_t step = size_t{1} << 31;
        uint32_t *numbers = many ? static_cast<uint32_t *>(w->out_second) + t * room : nullptr;
        for (size_t at = first; at < end; at += step) {
            const size_t stop = std::min(end, at + step), last = std::min(n, stop + longest - 1);
            receiver r = {&p, w, at, at, stop, numbers};
            hs_scan(now.database, text + at, static_cast<unsigned>(last - at), 0, now.scratch[t], receive, &r);
        }
    });
}

void find(bench_work *w) { scan(w, halves::pattern_bytes(w), false); }

void find_many(bench_work *w) {
    size_t longest = 0;
    for (size_t k = 0; k < w->patterns.count; k++)
        longest = std::max<size_t>(longest, w->patterns.offsets[k + 1] - w->patterns.offsets[k]);
    scan(w, longest, true);
}

void finish_many(bench_work *w) {
    auto *out = static_cast<uint32_t *>(w->out), *numbers = static_cast<uint32_t *>(w->out_second);
    std::vector<uint64_t> all;
    for (const halves::part &p : halves::parts) {
        const size_t from = static_cast<size_t>(p.positions - out);
        for (size_t i = 0; i < std::min(p.count, p.room); i++)
            all.push_back(uint64_t{p.positions[i]} << 32 | numbers[from + i]);
    }
    std::sort(all.begin(), all.end());
    halves::join(w);
    for (size_t i = 0; i < all.size(); i++) {
        out[i] = static_cast<uint32_t>(all[i] >> 32);
        numbers[i] = static_cast<uint32_t>(all[i]);
    }
}

const peer_operation operations[] = {
    {"find", "hs_scan, a literal", prepare_one, find, halves::join},
    {"find many", "hs_scan, all literals", prepare_many, find_many, finish_many},
};

void describe(char *text, size_t room) {
    std::snprintf(text, room, "Hyperscan %.40s, %u threads", hs_version(), halves::threads);
}

void threads(unsigned n) { halves::threads = n; }

} // namespace

extern "C" const peer bench_peer = {"Hyperscan", describe, threads, operations,
                                    sizeof operations / sizeof operations[0]};
