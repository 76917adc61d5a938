/* The memory is a file without a name, which the others open by way of the process that has made it, where they see the same processes.
 *
 * Each rank has a slot, which it alone writes: how often it has said something, and the last two things. It says its k-th when all
 * others have said their k - 1st, and so have read its k - 2nd, in whose place that comes. */
#include "group/board.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THERE, LEFT, GAVE_UP };

typedef struct slot {
    _Alignas(64) uint64_t said; /* all three atomic */
    uint32_t state;
    uint32_t bytes[2];
    _Alignas(64) unsigned char text[2][WW__BOARD_MOST];
} slot;

typedef struct sheet {
    _Alignas(64) unsigned char key[16];
    slot of[];
} sheet;

struct ww__board {
    sheet *sheet;
    size_t bytes;
    uint32_t ranks, rank;
    uint64_t said;
    int file;
};

/* ---- finding it ---- */

static size_t bytes_of(uint32_t ranks) { return sizeof(sheet) + ranks * sizeof(slot); }

/* A process's number means the same to whoever says the same here. */
static bool name_host(ww__board_place *p) {
    struct stat space;
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    memset(p->host, 0, sizeof p->host);
    const bool read = f && fgets(p->host, sizeof p->host, f);
    if (f) fclose(f);
    if (!read || stat("/proc/self/ns/pid", &space)) return false;
    p->processes = space.st_ino;
    return true;
}

static ww__board *map(int file, uint32_t ranks, uint32_t rank) {
    ww__board *b = malloc(sizeof *b);
    void *sheet = b ? mmap(NULL, bytes_of(ranks), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (sheet == MAP_FAILED) {
        free(b);
        close(file);
        return NULL;
    }
    *b = (ww__board){.sheet = sheet, .bytes = bytes_of(ranks), .ranks = ranks, .rank = rank, .file = file};
    return b;
}

ww__board *ww__board_make(uint32_t ranks, ww__board_place *place) {
    *place = (ww__board_place){.process = getpid()};
    if (ranks > WW__BOARD_RANKS || !name_host(place) ||
        getrandom(place->key, sizeof place->key, GRND_NONBLOCK) != sizeof place->key)
        return NULL;
    const int file = memfd_create("warpwise-group", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return NULL;
    /* memory that is not there, or no more, would end a process that reads it */
    if (posix_fallocate(file, 0, (off_t)bytes_of(ranks)) || fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK)) {
        close(file);
        return NULL;
    }
    ww__board *b = map(file, ranks, 0);
    if (!b) return NULL;
    memcpy(b->sheet->key, place->key, sizeof place->key);
    place->file = file;
    place->there = 1;
    return b;
}

ww__board *ww__board_open(uint32_t ranks, uint32_t rank, const ww__board_place *place) {
    ww__board_place here = {.there = 0};
    char path[64];
    struct stat is;
    if (!place->there || ranks > WW__BOARD_RANKS || !name_host(&here) ||
        memcmp(here.host, place->host, sizeof here.host) || here.processes != place->processes)
        return NULL;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)place->process, (int)place->file);
    const int file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return NULL;
    if (fstat(file, &is) || !S_ISREG(is.st_mode) || is.st_size != (off_t)bytes_of(ranks)) {
        close(file);
        return NULL;
    }
    ww__board *b = map(file, ranks, rank);
    if (!b || !memcmp(b->sheet->key, place->key, sizeof place->key)) return b;
    munmap(b->sheet, b->bytes);
    close(b->file);
    free(b);
    return NULL;
}

void ww__board_settled(ww__board *b) {
    close(b->file);
    b->file = -1;
}

/* ---- what is said ---- */

void ww__board_say(ww__board *b, const void *mine, size_t bytes) {
    slot *s = &b->sheet->of[b->rank];
    memcpy(s->text[b->said % 2], mine, bytes);
    s->bytes[b->said % 2] = (uint32_t)bytes;
    __atomic_store_n(&s->said, ++b->said, __ATOMIC_RELEASE);
}

/* Who has said it, and then left, has said it. */
static ww__board_state look_at(const ww__board *b, uint32_t r, size_t bytes) {
    const slot *s = &b->sheet->of[r];
    const uint32_t state = __atomic_load_n(&s->state, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&s->said, __ATOMIC_ACQUIRE) < b->said) return state == THERE ? WW__BOARD_WAITS : WW__BOARD_LOST;
    return s->bytes[(b->said - 1) % 2] == bytes ? WW__BOARD_DONE : WW__BOARD_LOST;
}

ww__board_state ww__board_look(ww__board *b, size_t bytes, void *all, uint32_t *who) {
    for (uint32_t r = 0; r < b->ranks; r++) {
        const ww__board_state state = look_at(b, r, bytes);
        *who = r;
        if (state != WW__BOARD_DONE) return state;
    }
    for (uint32_t r = 0; r < b->ranks; r++)
        memcpy((unsigned char *)all + r * bytes, b->sheet->of[r].text[(b->said - 1) % 2], bytes);
    return WW__BOARD_DONE;
}

bool ww__board_given_up(const ww__board *b, uint32_t *who) {
    for (uint32_t r = 0; r < b->ranks; r++) {
        *who = r;
        if (__atomic_load_n(&b->sheet->of[r].state, __ATOMIC_ACQUIRE) == GAVE_UP) return true;
    }
    return false;
}

static void leave(ww__board *b, uint32_t state) {
    __atomic_store_n(&b->sheet->of[b->rank].state, state, __ATOMIC_RELEASE);
}

void ww__board_give_up(ww__board *b) { leave(b, GAVE_UP); }

void ww__board_close(ww__board *b) {
    if (!b) return;
    if (b->sheet->of[b->rank].state == THERE) leave(b, LEFT);
    munmap(b->sheet, b->bytes);
    if (b->file >= 0) close(b->file);
    free(b);
}
