/* The file of a kernel pack, read by pack.c and written by tools/kernel-pack/writer.c.
 *
 *     head | sources by rising hash | programs, those of one source together | maker | sources' texts, code
 *
 * Numbers are the machine's own. Places count bytes from the file's begin. The sum in the head covers the tables, the
 * maker and the head itself (with 0 for the sum); each program has a sum of its own; a source's text counts when it
 * equals what is asked for. So nothing that was changed is ever taken, and opening reads the tables only. */
#ifndef WW__PACK_FORMAT_H
#define WW__PACK_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define WW__PACK_MAGIC UINT64_C(0x6b636170707277ff)
enum { WW__PACK_VERSION = 3, WW__PACK_BASES = 3 /* that come before a program, at most */ };

typedef struct ww__pack_head {
    uint64_t magic;
    uint32_t version, sources, programs, maker_bytes;
    uint64_t file_bytes, sum;
} ww__pack_head;

typedef struct ww__pack_source {
    uint64_t hash, at, bytes; /* without a terminating 0 */
    uint32_t first, programs;
} ww__pack_source;

/* Machine code runs on GPUs of its architecture's major version whose minor one is not below; PTX on any newer GPU. */
typedef enum ww__pack_kind { WW__PACK_MACHINE_CODE = 1, WW__PACK_PTX } ww__pack_kind;

typedef struct ww__pack_program {
    uint64_t at, packed_bytes, bytes, sum; /* packed as unpack.h says; the sum is of what is packed */
    uint32_t architecture, kind;
    uint32_t
        base; /* 0, or 1 more than the number of the program whose bytes, behind those of its own base, come before these */
    uint32_t unused;
} ww__pack_program;

/* FNV-1a: finds sources, and notices damage; not malice, which the file's owner is trusted with as the library's is. */
#define WW__PACK_HASH_BEGIN UINT64_C(0xcbf29ce484222325)
static inline uint64_t ww__pack_hash(uint64_t hash, const void *data, size_t bytes) {
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
