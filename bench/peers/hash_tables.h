// Hash tables of other libraries beside the slab hash: u32 to u32. Each is made with room for all pairs before the clock runs, and
// filled, for searches. What is not made for several threads inserts on one; all search by several.
#ifndef BENCH_PEER_HASH_TABLES_H
#define BENCH_PEER_HASH_TABLES_H

#include <cstdint>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "peer.h"

namespace hash_tables {

inline unsigned threads = 2;

// As the rows have it: keys number 0, 1, … all differ; statuses of ww_slab_status.
inline uint32_t key_number(uint32_t i) { return (2 * i + 1) * 2654435761u; }
enum : uint8_t { ABSENT, FOUND, DELETED, INSERTED };
enum { FIFTH = 5 };

// Table: reserve(n), insert(key, value), erase(key), find(key, &value), size().
template <class Table> struct rows {
    static inline std::unique_ptr<Table> table;
    static inline unsigned serial;
    static inline bool turned;

    // Each part of 0 … n - 1 by a thread; the last by this one.
    template <class F> static void each(size_t n, unsigned parts, F f) {
        std::vector<std::thread> others;
        for (unsigned t = 0; t + 1 < parts; t++) others.emplace_back([=] { f(n * t / parts, n * (t + 1) / parts); });
        f(n * (parts - 1) / parts, n);
        for (std::thread &t : others) t.join();
    }

    static void make(const bench_work *w) {
        table.reset();
        table = std::make_unique<Table>();
        table->reserve(w->n + w->n / FIFTH);
    }

    static void fill(bench_work *w) {
        if (table && serial == w->serial) return;
        make(w);
        serial = w->serial;
        turned = false;
        for (uint32_t i = 0; i < w->n; i++) table->insert(key_number(i), i);
    }

    static void prepare_insert(bench_work *w) {
        make(w);
        serial = 0;
    }
    static void insert(bench_work *w) {
        const uint32_t *keys = static_cast<const uint32_t *>(w->in), *values = static_cast<const uint32_t *>(w->second);
        each(w->n, Table::concurrent ? threads : 1, [=](size_t from, size_t end) {
            for (size_t i = from; i < end; i++) table->insert(keys[i], values[i]);
        });
    }
    static void finish_insert(bench_work *w) {
        bool right = table->size() == w->n;
        for (size_t k = 0; k < 1024; k++) {
            const uint32_t i = static_cast<uint32_t>(w->n * k / 1024);
            uint32_t value = ~i;
            right &= table->find(key_number(i), value) && value == i;
        }
        if (!right) w->cannot = "its table has not what was inserted";
    }

    static void find(bench_work *w) {
        const uint32_t *keys = static_cast<const uint32_t *>(w->in);
        uint32_t *values = static_cast<uint32_t *>(w->out);
        uint8_t *statuses = static_cast<uint8_t *>(w->out_second);
        each(w->n, threads, [=](size_t from, size_t end) {
            for (size_t i = from; i < end; i++) statuses[i] = table->find(keys[i], values[i]) ? FOUND : ABSENT;
        });
    }

    // Of five operations one inserts, one deletes, three find; what one batch deletes the next inserts.
    static void prepare_mix(bench_work *w) {
        fill(w);
        turned = !turned;
    }
    static void mix(bench_work *w) {
        const uint32_t *keys = static_cast<const uint32_t *>(turned ? w->in : w->second);
        uint32_t *values = static_cast<uint32_t *>(w->out);
        uint8_t *statuses = static_cast<uint8_t *>(w->out_second);
        each(w->n, Table::concurrent ? threads : 1, [=](size_t from, size_t end) {
            for (size_t i = from; i < end; i++) {
                if (i % FIFTH == 0)
                    statuses[i] = table->insert(keys[i], static_cast<uint32_t>(i)) ? INSERTED : FOUND;
                else if (i % FIFTH == 1)
                    statuses[i] = table->erase(keys[i]) ? DELETED : ABSENT;
                else
                    statuses[i] = table->find(keys[i], values[i]) ? FOUND : ABSENT;
            }
        });
    }
};

template <class Table>
const peer_operation operations[] = {{"slab insert", Table::concurrent ? "insert" : "insert, 1 thread",
                                      rows<Table>::prepare_insert, rows<Table>::insert, rows<Table>::finish_insert},
                                     {"slab find", "find", rows<Table>::fill, rows<Table>::find, nullptr},
                                     {"slab mix",
                                      Table::concurrent ? "insert, erase, find" : "insert, erase, find, 1 thread",
                                      rows<Table>::prepare_mix, rows<Table>::mix, nullptr}};
enum { OPERATIONS = 3 };

// A map with the interface of std::unordered_map.
template <class Map> struct as_standard {
    static constexpr bool concurrent = false;
    Map map;
    void reserve(size_t n) { map.reserve(n); }
    bool insert(uint32_t key, uint32_t value) { return map.emplace(key, value).second; }
    bool erase(uint32_t key) { return map.erase(key) != 0; }
    bool find(uint32_t key, uint32_t &value) const {
        const auto at = map.find(key);
        if (at == map.end()) return false;
        value = at->second;
        return true;
    }
    size_t size() const { return map.size(); }
};

inline void take_threads(unsigned n) { threads = n; }

} // namespace hash_tables

#endif
