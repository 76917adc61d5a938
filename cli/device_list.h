/* A text that names devices: "cpu,cpu", "cuda:0-3". */
#ifndef CLI_DEVICE_LIST_H
#define CLI_DEVICE_LIST_H

#include <stddef.h>
#include <stdint.h>

enum { DEVICES_MOST = 64, DEVICES_TEXT = 1024 };

typedef struct device_list {
    uint32_t count; /* 0: the text names one, or none */
    const char *names[DEVICES_MOST];
    char text[DEVICES_TEXT];
    size_t used; /* of text */
} device_list;

/* Fills an empty list. A comma separates devices where one begins behind it: emu:threads=2,seed=7 is one. NULL, or what is
 * wrong. */
const char *device_list_read(device_list *list, const char *text);

#endif
