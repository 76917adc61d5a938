/* What the host sides of gather and scatter share. */
#ifndef WW__MOVE_GPU_H
#define WW__MOVE_GPU_H

#include "device/gpu/batch.h"
#include "primitive/gather/sides.h"

enum { WW__MOVE_THREADS = 256 };

/* Of each place to which elements go: nothing, a bit that says that it is taken, the largest position + 1; nothing, since no
 * two go to one. */
typedef enum ww__choice { WW__CHOICE_NONE, WW__CHOICE_CLAIM, WW__CHOICE_LAST, WW__CHOICE_UNIQUE } ww__choice;

/* The largest word that elements of a size at these addresses are made of (either may be NULL). */
uint32_t ww__move_word(size_t size, const void *a, const void *b);
/* WW_WORD, WW_WORDS, WW_WIDE. */
void ww__recipe_words(ww__recipe *r, size_t size, uint32_t word, bool wide);

/* Rows of batches that give a thread about eight elements in flight. */
uint32_t ww__move_rows(const ww_device *device, uint32_t items, size_t size);

/* Moves records by several lanes together (move_records.cu): from memory to out[i] (CHOICE_NONE) or to[index[i]]. Where there
 * is no `checking` an index that is too large is no fault, and that record is not moved. */
ww_status ww__move_records(ww_device *device, size_t size, void *to, const void *from, const ww_input *index,
                           uint64_t limit, ww__choice kind, void *choice, bool wide, const ww__gpu_checking *checking);

/* What the record says about an index. */
ww_status ww__say_index(ww_device *device, const ww__queued *call, uint64_t position, uint64_t value);

#endif
