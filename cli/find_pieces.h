/* The texts of `warpwise find` as one row of pieces: files one after the other, each in parts of so many bytes with what a
 * match may need behind them. Threads take pieces as they come free, and each reads its own: where a file can be read at any
 * place several threads read it at once; what comes in a stream (a pipe) is read in turn.
 *
 * Files are read, not mapped: into memory that stays in the caches. On a 1 GB file in the page cache two threads that search
 * 1 MiB at a time took 0.080 s so, and 0.095 s with the file mapped, whose pages must be entered and left one by one (an AMD
 * EPYC, 21 November 2026). And a file that shrinks then is a short read, not a signal. */
#ifndef CLI_FIND_PIECES_H
#define CLI_FIND_PIECES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct open_file {
    int fd;
    bool stream;
    bool failed;     /* and was complained about */
    unsigned users;  /* pieces that are being read, and one while there are more to take */
    off_t base;      /* of standard input, when it is a file: where it stood */
    uint64_t length; /* of a file that is no stream */
} open_file;

typedef struct pieces {
    char *const *names;
    size_t count;
    uint64_t most;    /* starts of a piece */
    uint64_t overlap; /* the longest pattern but one byte */
    /* Called for what cannot be read, by any thread, one sentence each. */
    void (*complain)(void *context, const char *name, const char *what);
    void *context;
    /* ---- below: the pieces' own ---- */
    pthread_mutex_t lock;
    uint64_t ticket;
    size_t next;         /* file */
    open_file *open;     /* the one that pieces are taken of */
    uint64_t at;         /* of it */
    unsigned char *tail; /* of a stream: the last bytes that were read, for the next piece */
    uint64_t tail_length;
} pieces;

typedef struct piece {
    uint64_t ticket; /* 0, 1, 2, … in the order of the texts */
    const char *name;
    size_t file;      /* of the names */
    bool first, last; /* of its file; where reading failed the last may not come */
    bool failed;
    bool stream;
    uint64_t begin, length; /* of the text, in the file */
    uint64_t starts;        /* matches that begin in so many bytes from `begin` are this piece's */
    uint64_t total;         /* bytes of the file; 0: not known */
} piece;

/* The fields above the line are set by the caller. False: no memory. */
bool pieces_open(pieces *p);
void pieces_close(pieces *p);

/* Is there so much that several threads are worth being started? */
bool pieces_many(const pieces *p);

/* Takes the next piece and reads it to `text`, which has room for most + overlap bytes. False: there are no more. */
bool pieces_take(pieces *p, piece *t, unsigned char *text);

/* No more pieces of this piece's file are wanted; one that was taken already may still come. */
void pieces_enough(pieces *p, const piece *t);

/* How a file is called: "(standard input)" for "-". */
const char *name_of_file(const char *path);

#endif
