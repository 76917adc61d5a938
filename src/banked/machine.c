#include "machine.h"

#include <inttypes.h>
#include <string.h>

enum { LINE = 8 }; /* words of a line of a CPU's cache */

ww_status ww__machine_new(ww_device *device, uint32_t banks, uint64_t columns, ww__machine *machine) {
    uint64_t words;
    memset(machine, 0, sizeof *machine);
    WW_CHECK(device, columns <= UINT64_MAX / 4, WW_LIMIT, "a bank of %" PRIu64 " words is too long", columns);
    /* An odd number of lines. */
    const uint64_t stride = ((columns + LINE - 1) / LINE | 1) * LINE;
    WW_CHECK(device, !__builtin_mul_overflow(stride, (uint64_t)banks, &words), WW_LIMIT,
             "%" PRIu32 " banks of %" PRIu64 " words are more than can be counted", banks, columns);
    WW_TRY(ww__scratch_array(device, words, sizeof *machine->word, &machine->word));
    WW_TRY(ww__scratch_array(device, banks, sizeof *machine->bank_step, &machine->bank_step));
    WW_TRY(ww__scratch_array(device, banks, sizeof *machine->bank_user, &machine->bank_user));
    WW_TRY(ww__scratch_array(device, banks, sizeof *machine->bank_accesses, &machine->bank_accesses));
    WW_TRY(ww__scratch_array(device, banks, sizeof *machine->processor_step, &machine->processor_step));
    memset(machine->word, 0, (size_t)words * sizeof *machine->word);
    memset(machine->bank_step, 0, banks * sizeof *machine->bank_step);
    memset(machine->bank_user, 0, banks * sizeof *machine->bank_user);
    memset(machine->bank_accesses, 0, banks * sizeof *machine->bank_accesses);
    memset(machine->processor_step, 0, banks * sizeof *machine->processor_step);
    machine->banks = banks;
    machine->columns = columns;
    machine->stride = stride;
    machine->step = 1;
    return WW_OK;
}

static void refuse(ww__machine *machine, ww__refusal why, uint32_t processor, uint32_t bank, uint64_t column) {
    if (machine->refused) return;
    machine->refused = true;
    machine->refusal.why = why;
    machine->refusal.step = machine->step;
    machine->refusal.column = column;
    machine->refusal.processor = processor;
    machine->refusal.bank = bank;
    if (why == WW__TWO_IN_A_BANK) machine->refusal.other = machine->bank_user[bank];
}

void ww__machine_refuse(ww__machine *machine, uint32_t processor, uint32_t bank, uint64_t column) {
    const bool there = bank < machine->banks && column < machine->columns;
    refuse(machine, there ? WW__TWO_BY_ONE : WW__NO_SUCH_WORD, processor, bank, column);
}

bool ww__machine_wait(ww__machine *machine, uint32_t processor, uint32_t bank, uint64_t column) {
    if (!machine->serialize) {
        refuse(machine, WW__TWO_IN_A_BANK, processor, bank, column);
        return false;
    }
    if (machine->bank_user[bank] != UINT32_MAX) { /* the second one in this step */
        machine->bank_user[bank] = UINT32_MAX;
        machine->bank_accesses[bank] = 0;
    }
    if (++machine->bank_accesses[bank] > machine->fullest) machine->fullest = machine->bank_accesses[bank];
    return true;
}

void ww__own_refuse(ww__own *own, uint64_t column) {
    ww__machine *machine = own->machine;
    if (machine->refused) return;
    machine->refused = true;
    machine->refusal.why = WW__NO_SUCH_WORD;
    machine->refusal.step = machine->step + own->accesses - 1;
    machine->refusal.processor = machine->refusal.bank = own->processor;
    machine->refusal.column = column;
}

ww_status ww__machine_check(ww_device *device, const ww__machine *machine) {
    if (!machine->refused) return WW_OK;
    const uint64_t step = machine->refusal.step;
    const uint32_t processor = machine->refusal.processor, other = machine->refusal.other, bank = machine->refusal.bank;
    switch (machine->refusal.why) {
    case WW__TWO_IN_A_BANK:
        return ww__fail(device, WW_INVALID,
                        "step %" PRIu64 ": processors %" PRIu32 " and %" PRIu32 " both touch bank %" PRIu32, step,
                        other, processor, bank);
    case WW__TWO_BY_ONE:
        return ww__fail(device, WW_INVALID,
                        "step %" PRIu64 ": processor %" PRIu32 " touches a second word, in bank %" PRIu32, step,
                        processor, bank);
    default:
        return ww__fail(device, WW_INVALID,
                        "step %" PRIu64 ": processor %" PRIu32 " touches word %" PRIu64 " of bank %" PRIu32
                        ", of %" PRIu32 " banks of %" PRIu64 " words",
                        step, processor, machine->refusal.column, bank, machine->banks, machine->columns);
    }
}
