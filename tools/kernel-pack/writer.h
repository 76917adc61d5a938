/* Writes kernel packs (device/gpu/pack_format.h). */
#ifndef KERNEL_PACK_WRITER_H
#define KERNEL_PACK_WRITER_H

#include "device/gpu/driver.h"
#include "device/gpu/pack_format.h"

typedef struct pack_writer pack_writer;

/* All of these return NULL or false where memory ran out or the file could not be written. */
pack_writer *pack_writer_new(const char *maker);
void pack_writer_free(pack_writer *w);

/* Keeps a copy of a program for an architecture; the second one for the same is left out. */
bool pack_writer_add(pack_writer *w, const char *source, uint32_t architecture, ww__pack_kind kind,
                     const ww__code *code);
const ww__code *pack_writer_find(const pack_writer *w, const char *source, uint32_t architecture);

/* To a name of its own first, which is then renamed; quick: packed less well. Equal contents, in any order, make equal files. */
bool pack_writer_save(pack_writer *w, const char *path, bool quick, uint64_t *bytes);

#endif
