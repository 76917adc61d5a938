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
            if (p.taken == p.accesses.size()) p.accesses.push_back({0, s.bytes, s.shared, {}});
            access &a = p.accesses[p.taken++];
            a.mask |= 1u << i;
            a.address[i] = s.address;
        }
        lanes[i].log.clear();
    }
    for (uint32_t t : touched)
        for (const access &a : places[t].accesses) a.shared ? count_shared(a) : count_global(a);
}

void counters::count_global(const access &a) {
    total.warp_accesses++;
    if (a.bytes > 128) { /* long copies: each lane by itself */
        for (uint32_t i = 0; i < WARP; i++)
            if (a.mask >> i & 1) total.sectors += (a.address[i] + a.bytes - 1) / SECTOR - a.address[i] / SECTOR + 1;
        return;
    }
    uintptr_t sectors[WARP * 5];
    size_t n = 0;
    for (uint32_t i = 0; i < WARP; i++) {
        if (!(a.mask >> i & 1)) continue;
        for (uintptr_t s = a.address[i] / SECTOR; s <= (a.address[i] + a.bytes - 1) / SECTOR; s++) sectors[n++] = s;
    }
    total.sectors += distinct(sectors, n);
}

/* 8 bytes go by half warps, 16 by quarters; anything longer is passed on as words of 4. */
void counters::count_shared(const access &a) {
    uint32_t words = (a.bytes + WORD - 1) / WORD, together = words == 2 ? 16 : words == 4 ? 8 : 32;
    uint32_t rounds = words == 1 || words == 2 || words == 4 ? 1 : words, each = rounds == 1 ? words : 1;
    for (uint32_t round = 0; round < rounds; round++) {
        total.shared_accesses++;
        for (uint32_t from = 0; from < WARP; from += together) {
            uintptr_t touched_words[WARP];
            size_t n = 0;
            for (uint32_t i = from; i < from + together; i++)
                for (uint32_t k = 0; a.mask >> i & 1 && k < each; k++)
                    touched_words[n++] = a.address[i] / WORD + round + k;
            uint32_t in_bank[BANKS] = {0}, passes = 0;
            size_t different = distinct(touched_words, n);
            for (size_t i = 0; i < different; i++) passes = std::max(passes, ++in_bank[touched_words[i] % BANKS]);
            if (passes > 1) total.bank_conflicts += passes - 1;
        }
    }
}

} // namespace emu
