/* The board that ranks of one host share: what is said arrives, between processes too; whoever leaves or gives up is seen. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "group/board.h"
#include "support/cases.h"

enum { RANKS = 4, ROUNDS = 3000 };

static size_t bytes_in(uint32_t round) {
    return round % 50 == 49 ? WW__BOARD_MOST : (round * 2654435761u >> 16) % 600 + 1;
}

static unsigned char byte_of(uint32_t rank, uint32_t round, size_t i) {
    return (unsigned char)(rank * 37 + round * 11 + i);
}

static bool gathers(ww__board *b, uint32_t rank, uint32_t ranks, uint32_t rounds) {
    static unsigned char mine[WW__BOARD_MOST], all[RANKS * WW__BOARD_MOST];
    for (uint32_t round = 0; round < rounds; round++) {
        const size_t bytes = bytes_in(round);
        uint32_t who = 0;
        ww__board_state state;
        for (size_t i = 0; i < bytes; i++) mine[i] = byte_of(rank, round, i);
        ww__board_say(b, mine, bytes);
        while ((state = ww__board_look(b, bytes, all, &who)) == WW__BOARD_WAITS) sched_yield();
        if (state != WW__BOARD_DONE) return false;
        for (uint32_t r = 0; r < ranks; r++)
            for (size_t i = 0; i < bytes; i++)
                if (all[r * bytes + i] != byte_of(r, round, i)) return false;
    }
    return true;
}

static void processes(void **unused) {
    (void)unused;
    CASE("group board", "%d processes", RANKS);
    if (!case_wanted()) return;
    ww__board_place place;
    ww__board *b = ww__board_make(RANKS, &place);
    pid_t child[RANKS];
    expect(b != NULL);
    for (uint32_t r = 1; r < RANKS; r++) {
        child[r] = fork();
        expect(child[r] >= 0);
        if (child[r]) continue;
        ww__board *theirs = ww__board_open(RANKS, r, &place);
        const bool holds = theirs && gathers(theirs, r, RANKS, ROUNDS);
        ww__board_close(theirs);
        _exit(holds ? 0 : 1);
    }
    expect(gathers(b, 0, RANKS, ROUNDS));
    ww__board_settled(b);
    for (uint32_t r = 1; r < RANKS; r++) {
        int status = 1;
        expect(waitpid(child[r], &status, 0) == child[r] && status == 0);
    }
    ww__board_close(b);
}

static void leaving(void **unused) {
    (void)unused;
    CASE("group board", "who leaves, gives up, says more");
    if (!case_wanted()) return;
    for (int kind = 0; kind < 3; kind++) {
        ww__board_place place;
        ww__board *b = ww__board_make(2, &place), *other = b ? ww__board_open(2, 1, &place) : NULL;
        uint64_t word = 5, words[4];
        uint32_t who = 9;
        expect(b && other);
        ww__board_settled(b);
        ww__board_say(other, &word, sizeof word);
        expect(ww__board_look(other, sizeof word, words, &who) == WW__BOARD_WAITS && who == 0);
        ww__board_say(b, &word, sizeof word);
        if (kind == 0) ww__board_close(other); /* what it has said stays */
        expect(ww__board_look(b, sizeof word, words, &who) == WW__BOARD_DONE && words[0] == 5 && words[1] == 5);
        expect(!ww__board_given_up(b, &who));
        if (kind) expect(ww__board_look(other, sizeof word, words, &who) == WW__BOARD_DONE);
        if (kind == 1) ww__board_give_up(other);
        if (kind == 2) ww__board_say(other, words, 2 * sizeof word);
        ww__board_say(b, &word, sizeof word);
        expect(ww__board_look(b, sizeof word, words, &who) == WW__BOARD_LOST && who == 1);
        expect(ww__board_given_up(b, &who) == (kind == 1) && (kind != 1 || who == 1));
        if (kind) ww__board_close(other);
        ww__board_close(b);
    }
}

/* Another host's or another program's file is not taken for a board. */
static void strangers(void **unused) {
    (void)unused;
    CASE("group board", "strangers");
    if (!case_wanted()) return;
    ww__board_place place, wrong;
    ww__board *b = ww__board_make(2, &place);
    expect(b != NULL);
    for (int kind = 0; kind < 6; kind++) {
        wrong = place;
        if (kind == 0) wrong.host[3] ^= 1;
        if (kind == 1) wrong.processes++;
        if (kind == 2) wrong.key[7] ^= 1;
        if (kind == 3) wrong.file = 0;
        if (kind == 4) wrong.there = 0;
        ww__board *other = ww__board_open(kind == 5 ? 3 : 2, 1, &wrong);
        expect(!other);
    }
    ww__board_close(b);
    ww__board_close(NULL);
    expect(!ww__board_make(WW__BOARD_RANKS + 1, &place) && !place.there);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(processes), cmocka_unit_test(leaving),
                                       cmocka_unit_test(strangers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
