/* A leaderboard: players' scores change all the time, and one wants to know who stands where. Two dictionaries that change
 * together: one from players to their scores, and one of scores in order.
 *
 * A score is a key of 64 bits: the points above, and the player's number below, so that there are no two alike. When scores change,
 * the old keys leave the order and the new ones come in, in batches; what a rank is, a count says. The end of it is checked
 * against a plain array of all scores. */
#include <stdio.h>
#include <stdlib.h>

#include <warpwise.h>

enum { PLAYERS = 20000, ROUND = 2000, ROUNDS = 20, BEST = 5 };

static uint64_t random_state = 1;
static uint32_t random_below(uint32_t n) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static uint64_t key_of(uint32_t player, uint32_t points) { return (uint64_t)points << 32 | player; }

static uint32_t points[PLAYERS];                        /* as they should be */
static uint32_t players[ROUND], won[ROUND], old[ROUND]; /* of one round */
static uint64_t leaving[ROUND], coming[ROUND];
static uint8_t found[ROUND];

/* Some players win points; one who plays twice in a round keeps the last score. */
static ww_status play(ww_device *device, ww_lsm *scores, ww_lsm *order) {
    uint32_t gone = 0;
    ww_status status;
    for (uint32_t i = 0; i < ROUND; i++) {
        players[i] = random_below(PLAYERS);
        won[i] = random_below(1000000);
    }
    status = ww_lsm_lookup(scores, ww_memory(players, ROUND), ww_array(old, ROUND), ww_array(found, ROUND));
    if (!status) status = ww_sync(device);
    if (status) return status;
    for (uint32_t i = 0; i < ROUND; i++) {
        if (found[i]) leaving[gone++] = key_of(players[i], old[i]);
        points[players[i]] = won[i];
    }
    for (uint32_t i = 0; i < ROUND; i++) coming[i] = key_of(players[i], points[players[i]]);
    status = ww_lsm_insert(scores, ww_memory(players, ROUND), ww_memory(won, ROUND));
    if (!status) status = ww_lsm_delete(order, ww_memory(leaving, gone));
    if (!status) status = ww_lsm_insert(order, ww_memory(coming, ROUND), ww_no_input);
    return status;
}

/* The best ones: from the largest key down. */
static ww_status show_best(ww_device *device, ww_lsm *order) {
    uint64_t key;
    uint8_t is;
    ww_status status = ww_lsm_maximum(order, ww_array(&key, 1), ww_none, ww_array(&is, 1));
    for (int i = 1; i <= BEST && !status; i++) {
        if ((status = ww_sync(device)) != WW_OK || !is) break;
        printf("%d. player %u with %u points\n", i, (unsigned)key, (unsigned)(key >> 32));
        status = ww_lsm_predecessor(order, ww_memory(&key, 1), false, ww_array(&key, 1), ww_none, ww_array(&is, 1));
    }
    return status;
}

/* How many there are with more points than a player has, by a count and by looking at all. */
static ww_status check_rank(ww_device *device, ww_lsm *order, uint32_t player, int *right) {
    const uint64_t low = key_of(player, points[player]) + 1, high = UINT64_MAX;
    uint64_t better = 0, wanted = 0;
    ww_status status = ww_lsm_count(order, ww_memory(&low, 1), ww_memory(&high, 1), ww_array(&better, 1));
    if (!status) status = ww_sync(device);
    for (uint32_t p = 0; p < PLAYERS; p++) wanted += points[p] && key_of(p, points[p]) >= low;
    if (!status) printf("player %u has rank %llu\n", player, (unsigned long long)better + 1);
    *right = better == wanted;
    return status;
}

int main(void) {
    ww_device *device = NULL;
    ww_lsm *scores = NULL, *order = NULL;
    int right = 0;
    ww_status status = ww_open(NULL, &device);
    if (!status) status = ww_lsm_open(device, &ww_type_uint32_t, &ww_type_uint32_t, &scores, NULL);
    if (!status) status = ww_lsm_open(device, &ww_type_uint64_t, NULL, &order, NULL);
    for (int r = 0; r < ROUNDS && !status; r++) status = play(device, scores, order);
    if (!status) status = show_best(device, order);
    if (!status) status = check_rank(device, order, players[0], &right);
    if (status) fprintf(stderr, "dictionary: %s\n", ww_error(device));
    if (!status && !right) fprintf(stderr, "dictionary: that is not its rank\n");
    ww_lsm_close(scores);
    ww_lsm_close(order);
    ww_close(device);
    return status || !right;
}
