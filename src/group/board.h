/* A board: memory that all ranks of a group share, where they are on one host. What one of them says in a few bytes all others read there, in
 * the time that a word takes from one processor to another. */
#ifndef WW__GROUP_BOARD_H
#define WW__GROUP_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ww__board ww__board;

enum { WW__BOARD_RANKS = 64, WW__BOARD_MOST = 4096 }; /* ranks at most; bytes that a rank says at once */

/* What the rank that has made a board tells the others, by which they find it. */
typedef struct ww__board_place {
    unsigned char there; /* 0: there is none */
    unsigned char reserved[7];
    char host[40]; /* what the kernel that runs calls itself */
    uint64_t processes;
    unsigned char key[16]; /* stands at the board's begin */
    int32_t process, file;
} ww__board_place;

/* By rank 0; the others open it, before that one calls ww__board_settled. NULL where it cannot be had: other hosts, other users. */
ww__board *ww__board_make(uint32_t ranks, ww__board_place *place);
ww__board *ww__board_open(uint32_t ranks, uint32_t rank, const ww__board_place *place);
void ww__board_settled(ww__board *board);

/* A gather, begun and looked at until it is DONE: `bytes` of each rank at all + r * bytes. One at a time. LOST: *who has left before it
 * said this, has given up, or says another number of bytes. */
typedef enum ww__board_state { WW__BOARD_WAITS, WW__BOARD_DONE, WW__BOARD_LOST } ww__board_state;
void ww__board_say(ww__board *board, const void *mine, size_t bytes);
ww__board_state ww__board_look(ww__board *board, size_t bytes, void *all, uint32_t *who);

/* Whether any rank has given up. */
bool ww__board_given_up(const ww__board *board, uint32_t *who);
void ww__board_give_up(ww__board *board);
/* The last call, of NULL too. */
void ww__board_close(ww__board *board);

#endif
