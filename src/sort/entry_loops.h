/* The loops over entries of one kind for one vector width; entries.c includes this file once for each with
 *     ENTRY        the type
 *     ENTRY_NAME   its name
 *     WIDTH        the width
 *     MADE(o, i)   the entry of key i
 *     POSITION(e)  its position
 *     BEFORE(o, a, b), KEY_BEFORE(o, a, b)   whether a goes before b; whether its key does */

#define NAME(what) JOINED(what, JOINED(ENTRY_NAME, WIDTH))

LOOP(WIDTH) void NAME(make)(const ww__entry_order *o, void *entries, uint64_t first, size_t n) {
    ENTRY *e = entries;
    (void)o;
    for (size_t i = 0; i < n; i++) e[i] = MADE(o, first + i);
}

LOOP(WIDTH) void NAME(positions)(uint32_t *WW__R positions, const void *entries, size_t n) {
    const ENTRY *WW__R e = entries;
    for (size_t i = 0; i < n; i++) positions[i] = POSITION(e[i]);
}

LOOP(WIDTH) bool NAME(before)(const ww__entry_order *o, const void *a, const void *b) {
    (void)o;
    return BEFORE(o, *(const ENTRY *)a, *(const ENTRY *)b);
}

LOOP(WIDTH)
void NAME(exchange)(const ww__entry_order *o, void *lows, void *highs, size_t n, bool mirrored) {
    ENTRY *WW__R low = lows, *WW__R high = highs;
    (void)o;
    if (mirrored) {
        for (size_t i = 0; i < n; i++) {
            ENTRY *const other = high - i;
            const ENTRY x = low[i], y = *other;
            const bool turned = BEFORE(o, y, x);
            low[i] = turned ? y : x;
            *other = turned ? x : y;
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const ENTRY x = low[i], y = high[i];
        const bool turned = BEFORE(o, y, x);
        low[i] = turned ? y : x;
        high[i] = turned ? x : y;
    }
}

/* Comparators of neighbours: runs of one would be calls of one. */
LOOP(WIDTH)
void NAME(neighbours)(const ww__entry_order *o, ENTRY *e, size_t first, size_t end) {
    (void)o;
    for (size_t i = first; i + 1 < end; i += 2) {
        const ENTRY x = e[i], y = e[i + 1];
        const bool turned = BEFORE(o, y, x);
        e[i] = turned ? y : x;
        e[i + 1] = turned ? x : y;
    }
}

LOOP(WIDTH)
void NAME(phase)(const ww__entry_order *o, void *entries, size_t slots, const ww_phase *p, uint64_t begin, uint64_t n) {
    ENTRY *const e = entries;
    const size_t step = (size_t)p->step, first = (size_t)p->first;
    const uint64_t left = begin < n               ? n - begin
                          : begin + slots > begin ? 0
                                                  : n + (0 - begin); /* slots with elements end */
    const size_t end = left < slots ? (size_t)left : slots;
    const size_t none = begin < n ? 0 : (size_t)(0 - begin); /* slots below place 0 */
    if (step == 1) {
        const uint64_t block = first ? p->block : 0; /* from even places on nothing crosses one */
        size_t low = none > first ? none + (none + first) % 2 : first, until = end;
        for (; low + 1 < end; low = until + 1) {
            if (block) until = low + (size_t)(block - ((begin + low) & (block - 1)));
            NAME(neighbours)(o, e, low, until < end ? until : end);
        }
        return;
    }
    for (size_t low = first; low + step < end; low += 2 * step) {
        if (low < none || !comparator_counts(p, begin + low, begin + low + step, n)) continue;
        const size_t high = low + step, many = end - high < step ? end - high : step;
        if (p->mirrored)
            NAME(exchange)(o, e + low + (step - many), e + high + many - 1, many, true);
        else
            NAME(exchange)(o, e + low, e + high, many, false);
    }
}

LOOP(WIDTH)
void NAME(count)(const ww__entry_order *o, const void *entries, size_t n, const void *pivot, uint64_t counts[3]) {
    const ENTRY *e = entries, p = *(const ENTRY *)pivot;
    uint64_t before = 0, behind = 0;
    (void)o;
    for (size_t i = 0; i < n; i++) {
        const bool first = KEY_BEFORE(o, e[i], p);
        before += first;
        behind += !first && KEY_BEFORE(o, p, e[i]);
    }
    counts[0] = before;
    counts[1] = n - before - behind;
    counts[2] = behind;
}

/* An order that says another thing the second time fills no side further than it was counted. */
LOOP(WIDTH)
void NAME(split)(const ww__entry_order *o, const void *entries, size_t n, const void *pivot, const uint64_t counts[3],
                 void *before, uint32_t *equal, void *behind) {
    const ENTRY *e = entries, p = *(const ENTRY *)pivot;
    ENTRY *to[3] = {before, NULL, behind};
    uint64_t left[3] = {counts[0], counts[1], counts[2]};
    (void)o;
    for (size_t i = 0; i < n; i++) {
        const bool first = KEY_BEFORE(o, e[i], p), last = !first && KEY_BEFORE(o, p, e[i]);
        size_t side = first ? 0 : last ? 2 : 1;
        while (!left[side]) side = (side + 1) % 3;
        left[side]--;
        if (side == 1)
            *equal++ = POSITION(e[i]);
        else
            *to[side]++ = e[i];
    }
}

static const ww__entry_loops NAME(loops) = {sizeof(ENTRY),  NAME(make),  NAME(positions), NAME(before),
                                            NAME(exchange), NAME(phase), NAME(count),     NAME(split)};

#undef NAME
#undef WIDTH
