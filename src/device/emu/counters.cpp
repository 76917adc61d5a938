#include "device/emu/counters.h"

#include <algorithm>

#include "device/emu/run.h"

namespace emu {
namespace {

enum { SECTOR = 32, BANKS = 32, WORD = 4 };

size_t bucket_of(const void *site, size_t count) {
    return (reinterpret_cast<uintptr_t>(site) * 0x9E3779B97F4A7C15u >> 40) & (count - 1);
}

size_t distinct(uintptr_t *numbers, size_t n) {
    if (!std::is_sorted(numbers, numbers + n)) std::sort(numbers, numbers + n);
    return static_cast<size_t>(std::unique(numbers, numbers + n) - numbers);
}

} // namespace

counters::place &counters::place_of(const void *site) {
    if (places.size() * 2 >= buckets.size()) {
        buckets.assign(buckets.empty() ? 256 : buckets.size() * 2, 0);
        for (size_t i = 0; i < places.size(); i++) {
            size_t at = bucket_of(places[i].site, buckets.size());
            while (buckets[at]) at = (at + 1) & (buckets.size() - 1);
            buckets[at] = static_cast<uint32_t>(i + 1);
        }
    }
    size_t at = bucket_of(site, buckets.size());
    while (buckets[at] && places[buckets[at] - 1].site != site) at = (at + 1) & (buckets.size() - 1);
    if (!buckets[at]) {
        places.push_back({site, 0, 0, 0, {}});
        buckets[at] = static_cast<uint32_t>(places.size());
    }
    place &p = places[buckets[at] - 1];
    if (p.turn != turn) {
        p.turn = turn;
        p.lane = UINT32_MAX;
        p.accesses.clear();
        touched.push_back(buckets[at] - 1);
    }
    return p;
}

void counters::gather(lane *lanes, size_t count) {
    turn++;
    touched.clear();
    for (uint32_t i = 0; i < count; i++) {
        for (const seen &s : lanes[i].log) {
            place &p = place_of(s.site);
            if (p.lane != i) {
                p.lane = i;
                p.taken = 0;
            }
            if (p.taken == p.accesses.size()) p.accesses.push_back({0, s.bytes, s.shared, s.whole, {}});
            access &a = p.accesses[p.taken++];
            a.mask |= 1u << i;
            a.address[i] = s.address;
        }
        lanes[i].log.clear();
    }
    for (uint32_t t : touched)
        for (const access &a : places[t].accesses) count_access(a);
}

/* What no instruction moves at once goes in pieces of at most 4 bytes, each an access of the warp. */
void counters::count_access(const access &a) {
    if (a.whole && a.bytes <= 16) {
        a.shared ? count_shared(a) : count_global(a);
        return;
    }
    uintptr_t bits = a.bytes | WORD;
    for (uint32_t i = 0; i < WARP; i++)
        if (a.mask >> i & 1) bits |= a.address[i];
    access piece = a;
    piece.bytes = static_cast<uint32_t>(bits & -bits);
    for (uint32_t at = 0; at < a.bytes; at += piece.bytes) {
        piece.shared ? count_shared(piece) : count_global(piece);
        for (uintptr_t &address : piece.address) address += piece.bytes;
    }
}

void counters::count_global(const access &a) {
    uintptr_t sectors[WARP * 2];
    size_t n = 0;
    for (uint32_t i = 0; i < WARP; i++) {
        if (!(a.mask >> i & 1)) continue;
        for (uintptr_t s = a.address[i] / SECTOR; s <= (a.address[i] + a.bytes - 1) / SECTOR; s++) sectors[n++] = s;
    }
    total.warp_accesses++;
    total.sectors += distinct(sectors, n);
}

/* 8 bytes go by half warps, 16 by quarters. */
void counters::count_shared(const access &a) {
    uint32_t words = (a.bytes + WORD - 1) / WORD, together = WARP / words;
    total.shared_accesses++;
    for (uint32_t from = 0; from < WARP; from += together) {
        uintptr_t touched_words[WARP];
        size_t n = 0;
        for (uint32_t i = from; i < from + together; i++)
            for (uint32_t k = 0; a.mask >> i & 1 && k < words; k++) touched_words[n++] = a.address[i] / WORD + k;
        uint32_t in_bank[BANKS] = {0}, passes = 0;
        size_t different = distinct(touched_words, n);
        for (size_t i = 0; i < different; i++) passes = std::max(passes, ++in_bank[touched_words[i] % BANKS]);
        if (passes > 1) total.bank_conflicts += passes - 1;
    }
}

} // namespace emu
