/* A pattern as the kernels of the GPU's automatic method get it (struct find_pattern of auto.cuh). */
#ifndef WW__TEXT_IMAGE_GPU_H
#define WW__TEXT_IMAGE_GPU_H

#include "text/find_gpu.h"

enum { WW__IMAGE_INLINE = 768 /* words that go in a kernel's arguments */ };

/* The window that is looked for: some characters of the pattern from `at` on, in two words. */
typedef struct ww__window {
    uint64_t at;
    uint32_t words; /* 1 or 2 */
    bool loose;     /* what agrees may still differ from it */
    uint32_t word[2], keep[2], factor[2], sought;
} ww__window;

void ww__window_choose(const ww__finding *f, ww__window *w);

typedef struct ww__image {
    uint32_t words, last;    /* of the pattern alone */
    uint64_t length;         /* words in all */
    uint32_t *host, *memory; /* memory: the GPU's; NULL where all goes in the arguments, from `own` */
    uint32_t own[WW__IMAGE_INLINE];
} ww__image;

/* Made in the host's memory, and copied where it is too long for arguments. */
ww_status ww__image_make(ww_device *device, const ww__finding *f, ww__image *image);

#endif
