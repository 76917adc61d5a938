/* The machine of banked memory: m banks, each a row of words, and m processors. In a step every processor reads or writes at
 * most one word, and no two of them touch one bank. Every access of every algorithm of this room goes through here: it is
 * counted, and a step in which two processors touch one bank is refused, with the step, both processors and the bank kept for
 * the sentence.
 *
 * There are two kinds of phases:
 *     together   all processors in step: ww__bank_read and ww__bank_write for each processor that does something, then
 *                ww__step. Each access is looked at.
 *     alone      each processor works in the bank of its own number, however long: ww__own_begin, ww__own_read and
 *                ww__own_write, ww__own_end. It names no bank, so it cannot touch another's. ww__alone_end lasts as long as the
 *                slowest.
 * What a processor keeps besides, a few words, are its registers, and computing on them takes no steps.
 *
 * The model is the discrete memory machine (Nakano 2012) with as many processors as banks and without latency, as Afshani and
 * Sitchinava use it (Sorting and Permuting without Bank Conflicts on GPUs, 2015). */
#ifndef WW__BANKED_MACHINE_H
#define WW__BANKED_MACHINE_H

#include "device/device.h"

typedef enum ww__refusal { WW__TWO_IN_A_BANK = 1, WW__TWO_BY_ONE, WW__NO_SUCH_WORD } ww__refusal;

typedef struct ww__machine {
    uint32_t banks;
    uint64_t columns; /* words of a bank */
    uint64_t stride;  /* between the beginnings of banks: so that these do not share sets of the caches */
    uint64_t *word;
    uint64_t *bank_step;      /* for each bank the last step in which it was touched … */
    uint32_t *bank_user;      /* … by whom … */
    uint32_t *bank_accesses;  /* … and how often, where conflicts are counted */
    uint64_t *processor_step; /* for each processor the last step in which it did something */
    uint64_t step;            /* the one that is under way, from 1 on */
    uint64_t accesses;
    uint64_t longest; /* accesses of the processor that has most in this phase alone */
    /* Conflicts are waited for, as a GPU does, and not refused: a step then lasts as long as the fullest bank has accesses. */
    bool serialize;
    uint32_t fullest;
    uint64_t conflicts; /* steps that were waited */
    /* The first refusal. An access that is refused reads 0 and writes nothing; the algorithm goes on, and its results are not
     * given out. */
    bool refused;
    struct {
        ww__refusal why;
        uint64_t step, column;
        uint32_t processor, other, bank; /* `other` was there before */
    } refusal;
} ww__machine;

/* Words are 0. Its memory is scratch of the call that is under way. Bytes: 8 a word, 28 a bank. */
ww_status ww__machine_new(ww_device *device, uint32_t banks, uint64_t columns, ww__machine *machine);
/* OK, or INVALID with the sentence of the refusal. */
ww_status ww__machine_check(ww_device *device, const ww__machine *machine);
static inline uint64_t ww__machine_steps(const ww__machine *machine) { return machine->step - 1; }

/* What is given before the first step and what is read after the last one: no access of a processor's. */
static inline uint64_t *ww__machine_word(const ww__machine *machine, uint32_t bank, uint64_t column) {
    return &machine->word[bank * machine->stride + column];
}

/* ---- together ---- */

void ww__machine_refuse(ww__machine *machine, uint32_t processor, uint32_t bank, uint64_t column);
/* Another access to a bank that was touched in this step: false where it is refused. */
bool ww__machine_wait(ww__machine *machine, uint32_t processor, uint32_t bank, uint64_t column);

static inline bool ww__machine_touch(ww__machine *machine, uint32_t processor, uint32_t bank, uint64_t column) {
    if (machine->processor_step[processor] == machine->step || bank >= machine->banks || column >= machine->columns) {
        ww__machine_refuse(machine, processor, bank, column);
        return false;
    }
    machine->processor_step[processor] = machine->step;
    machine->accesses++;
    if (machine->bank_step[bank] == machine->step) {
        return ww__machine_wait(machine, processor, bank, column);
    }
    machine->bank_step[bank] = machine->step;
    machine->bank_user[bank] = processor;
    return true;
}
static inline uint64_t ww__bank_read(ww__machine *machine, uint32_t processor, uint32_t bank, uint64_t column) {
    return ww__machine_touch(machine, processor, bank, column) ? *ww__machine_word(machine, bank, column) : 0;
}
static inline void ww__bank_write(ww__machine *machine, uint32_t processor, uint32_t bank, uint64_t column,
                                  uint64_t word) {
    if (ww__machine_touch(machine, processor, bank, column)) *ww__machine_word(machine, bank, column) = word;
}
/* Ends the step. */
static inline void ww__step(ww__machine *machine) {
    if (machine->fullest) {
        machine->step += machine->fullest;
        machine->conflicts += machine->fullest;
        machine->fullest = 0;
    }
    machine->step++;
}

/* ---- alone ---- */

typedef struct ww__own {
    ww__machine *machine;
    uint64_t *word;
    uint64_t columns, accesses;
    uint32_t processor;
} ww__own;

static inline ww__own ww__own_begin(ww__machine *machine, uint32_t processor) {
    return (ww__own){machine, &machine->word[processor * machine->stride], machine->columns, 0, processor};
}
void ww__own_refuse(ww__own *own, uint64_t column);
static inline uint64_t ww__own_read(ww__own *own, uint64_t column) {
    own->accesses++;
    if (column < own->columns) return own->word[column];
    ww__own_refuse(own, column);
    return 0;
}
static inline void ww__own_write(ww__own *own, uint64_t column, uint64_t word) {
    own->accesses++;
    if (column < own->columns)
        own->word[column] = word;
    else
        ww__own_refuse(own, column);
}
static inline void ww__own_end(ww__own *own) {
    own->machine->accesses += own->accesses;
    if (own->accesses > own->machine->longest) own->machine->longest = own->accesses;
}
static inline void ww__alone_end(ww__machine *machine) {
    machine->step += machine->longest;
    machine->longest = 0;
}

#endif
