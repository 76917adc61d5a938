/* A kernel pack: a read-only file of programs that were compiled when the library was built, for built-in types and
 * operators. It is asked before the cache and the compiler, so that a machine with only the driver can run them.
 *
 * The file is what WARPWISE_KERNEL_PACK names ("off": none), else warpwise-kernels.pack beside the shared library (or
 * the program that the library is linked into), else in the folder that libraries were to be installed to. It must belong to this
 * user, to root or to the owner of the library (or program), and nobody else may write to it. A file that
 * is named must be right; one that is found is done without where it is of another version, damaged or another user's. */
#ifndef WW__KERNEL_PACK_H
#define WW__KERNEL_PACK_H

#include "device/gpu/driver.h"
#include "device/gpu/pack_format.h"

typedef struct ww__pack ww__pack;

/* Opens one file of this user's or root's, which `maker` must have made (NULL: anyone). NULL, with the sentence, for FILE, FORMAT and MEMORY. */
ww__pack *ww__pack_open(const char *path, const char *maker, ww_status *status, char *why, size_t room);
/* Looks for the file. NULL with OK where there is none; with a status where the one that is named will not do. */
ww__pack *ww__pack_look(const char *maker, ww_status *status, char *why, size_t room);
void ww__pack_close(ww__pack *pack); /* NULL is fine */

const char *ww__pack_path(const ww__pack *pack);
const char *ww__pack_maker(const ww__pack *pack);
/* Programs that a GPU of this architecture (90: sm_90) can take. */
uint64_t ww__pack_programs(const ww__pack *pack, uint32_t architecture);

/* The code of the program that fits best, to be freed by free(). False, too, for a NULL pack. */
bool ww__pack_find(const ww__pack *pack, uint32_t architecture, const char *source, ww__code *code);

/* The i-th program as it stands in the file, for tools: false when there is none, or it is damaged (code is NULL
 * then). Source and code are to be freed by free(). */
uint32_t ww__pack_entries(const ww__pack *pack);
bool ww__pack_entry(const ww__pack *pack, size_t i, ww__pack_program *program, char **source, ww__code *code);

#endif
