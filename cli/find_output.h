/* What `warpwise find` prints, in the texts' order: threads hand in what they found in a piece when they have it, and who
 * hands in the next piece in order prints it, with those behind it that were handed in before. */
#ifndef CLI_FIND_OUTPUT_H
#define CLI_FIND_OUTPUT_H

#include <pthread.h>

#include "find_lines.h"
#include "find_pieces.h"
#include "progress.h"

enum { OUTPUT_AHEAD = 256 }; /* pieces that can wait for an earlier one */

/* The lines of one thread. They may be written anew when no piece waits for being printed. */
typedef struct found_lines {
    lines lines;
    size_t begin;   /* of the piece's that is being searched */
    size_t waiting; /* pieces that were handed in, and are not printed; under the output's lock */
} found_lines;

typedef struct waiting_piece {
    bool there;
    piece piece;
    uint64_t count; /* of its matches */
    found_lines *from;
    size_t begin, length; /* of its lines */
} waiting_piece;

typedef struct output {
    const char *command;
    bool count_only, names; /* -c; each line begins with the file's name */
    bool files_only;        /* -l: the names of files with a match */
    bool named;             /* the file that is being printed was */
    bool live;              /* somebody may be watching */
    progress *progress;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint64_t next;                       /* ticket */
    uint64_t count;                      /* of the file that is being printed */
    bool cut;                            /* of which something could not be read */
    uint64_t matches, bytes;             /* in all */
    bool complained, broken;             /* exit status 2; and the work ends now */
    waiting_piece waiting[OUTPUT_AHEAD]; /* by ticket */
} output;

void output_open(output *o);
void output_close(output *o);

/* Prints what the thread has of this piece so far, when its turn comes. False: the work has ended. */
bool output_flush(output *o, const piece *t, found_lines *f);

/* Hands a piece in. */
void output_hand_in(output *o, const piece *t, uint64_t count, found_lines *f);

/* One sentence about a file; and the end of all work, whose sentence was printed. */
void output_complain(void *output, const char *name, const char *what);
void output_break(output *o);

#endif
