/* What an element is made of, read from the text of its WW_STRUCT. */
#ifndef WW__MEMBERS_H
#define WW__MEMBERS_H

#include <stdbool.h>

#include "warpwise/type.h"

/* Neighbouring members of one kind: a number, an array of them. */
typedef struct ww__member {
    char name[48]; /* "" for an element that is a number */
    size_t offset, count, size;
    ww_kind kind;
    bool pointer, is_bf16;
} ww__member;

enum { WW__MEMBERS = 64 };
typedef struct ww__members {
    bool known; /* no, if the text of the struct has what this room does not read */
    bool floats;
    size_t many;
    ww__member member[WW__MEMBERS];
} ww__members;

void ww__members_of(const ww_type *type, size_t size, ww__members *m);

/* The members that inputs of so many types fill in order: their names, where they begin. */
typedef struct ww__zipped {
    char name[48];
    size_t offset;
} ww__zipped;
/* No, where the struct has other members than these types, one for each; or some that this does not read. */
bool ww__zip_members(const ww_type *type, const ww_type *const *part, size_t many, ww__zipped *z);

#endif
