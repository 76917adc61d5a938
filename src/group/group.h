/* What the sources of groups share: the handle, agreement between ranks, and moving what lies on devices. All of it is made of public
 * calls on the rank's own device and of the engine's five functions. */
#ifndef WW__GROUP_H
#define WW__GROUP_H

#include "device/between.h"
#include "device/digest.h"
#include "warpwise/group.h"

/* What a rank tells all others at every step of a call. Its size is the same for all versions that may meet (open.c). */
enum { WW__SAID_NUMBERS = 8, WW__SAID_SENTENCE = 368 };
typedef struct ww__said {
    uint32_t status, step;
    char call[40];
    unsigned char digest[WW__DIGEST]; /* of the arguments that have to be the same on all ranks; 0 at later steps */
    uint64_t number[WW__SAID_NUMBERS];
    char sentence[WW__SAID_SENTENCE]; /* of a status other than OK */
} ww__said;
_Static_assert(sizeof(ww__said) == 512 && sizeof(ww__said) <= WW_ENGINE_GATHER_MOST, "fits a gather");

/* Arrays with a number for each rank, and one more. */
enum {
    WW__SEND_COUNT,
    WW__SEND_AT,
    WW__RECEIVE_COUNT,
    WW__RECEIVE_AT,
    WW__BLOCK_AT,     /* where each rank's block begins in the whole array */
    WW__NUMBERS_MORE, /* of the call that is under way */
    WW__NUMBERS_LAST,
    WW__CUT,
    WW__NUMBERS
};

/* Trades at a time; of those that go through other memory. */
enum { WW__TRADES = 16, WW__FAR_TRADES = 4 };

/* Memory that stays from call to call; a call knows what it keeps where. */
enum { WW__KEPT = 12, WW__KEPT_HOST = 6, WW__GATHERED = WW__KEPT_HOST - 1 };

struct ww_group {
    ww_device *device;
    ww_device *host; /* a CPU of one thread beside a GPU, for a few keys that all ranks know; NULL until it is wanted */
    bool all_gpus;   /* of one driver */
    ww_engine engine;
    uint64_t limit_ms;
    uint32_t busy; /* atomic */
    uint32_t step; /* of the call that is under way: how often the ranks have agreed */
    const char *call;
    ww_status failure; /* OK, or what every call returns: opening failed, or the group is lost */
    char sentence[WW__SAID_SENTENCE];
    char error[WW__SAID_SENTENCE + 128];
    ww__said mine, *said;          /* said[r]: rank r's */
    uint64_t *number[WW__NUMBERS]; /* `ranks` each */
    uint64_t *bytes;               /* of trades */
    ww__kept kept[WW__KEPT];       /* the device's */
    ww__kept kept_host[WW__KEPT_HOST];
    ww__kept far[2 * WW__FAR_TRADES]; /* what goes through other memory than it lies in: a trade's two sides */
    size_t numbers_bytes;             /* of all arrays of numbers, which are one block */
};

/* A handle that only says why its engine could not be had; returns the status, or MEMORY. */
ww_status ww__group_unopened(ww_device *device, ww_status status, const char *call, const char *why, ww_group **group);

/* Opens group->host, where it is not open yet. */
ww_status ww__group_host(ww_group *group);

/* The top and the end of every public call. ww__group_enter returns INVALID for NULL, BUSY, or the group's failure. */
ww_status ww__group_enter(ww_group *group, const char *call);
ww_status ww__group_leave(ww_group *group, ww_status status);

/* A sentence about this rank, which all ranks will have; returns the status. */
ww_status ww__group_say(ww_group *group, ww_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A check at the top of a call, one line each, inside of what is agreed on next. */
#define WW_GROUP_CHECK(group, condition, status, ...) \
    do { \
        if (!(condition)) return ww__group_say(group, status, __VA_ARGS__); \
    } while (0)

/* All ranks come here with what they have found so far, and leave with the same status: that of the lowest rank whose is not OK; and
 * INVALID where digests (or NULL) or calls differ. group->said has what each rank said, with up to WW__SAID_NUMBERS numbers. Where
 * a rank says no sentence, its device's last one is taken. */
ww_status ww__group_agree(ww_group *group, ww_status status, const unsigned char *digest, const uint64_t *numbers,
                          size_t many);

/* Arguments that a call looks at itself, before it hands them to its device: an array of any memory; an input that has to be memory.
 * ww__group_check_begin comes first of all. */
ww_status ww__group_check_begin(ww_group *group);
ww_status ww__group_check_array(ww_group *group, const char *name, const ww_array *array);
ww_status ww__group_check_memory(ww_group *group, const char *name, const ww_input *input, ww_array *array);
ww_status ww__group_check_apart(ww_group *group, const char *name_a, const ww_array *a, const char *name_b,
                                const ww_array *b);

/* device/options.h's, of a call of the group's. */
ww_status ww__group_take_options(ww_group *group, const void *given, const char *start, void *taken, size_t bytes);

/* For a failure that all ranks see by themselves, from what they all know. */
ww_status ww__group_fail(ww_group *group, ww_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What all ranks are to be called with alike. A function that is NULL counts as that. */
void ww__agree_function(ww_group *group, ww__digest *digest, const ww_function *f);
void ww__agree_type(ww__digest *digest, const ww_type *type, size_t size);
void ww__agree_number(ww__digest *digest, uint64_t number);

/* The engine's, with the group's limit; a failure is the group's end. */
ww_status ww__group_gather(ww_group *group, const void *mine, size_t bytes, void *all);
ww_status ww__group_lost(ww_group *group, ww_status status, const char *why);

/* Elements from every rank to every rank. Blocks of each side lie where `at` says, in elements. */
typedef struct ww__trade {
    const void *send;
    void *receive;
    size_t size; /* of an element */
    const uint64_t *send_at, *send_count, *receive_at, *receive_count;
    bool host; /* both sides are the host's memory, not the device's */
} ww__trade;
/* Whether an array is memory that this rank's kernels and engines reach as any: a CPU's, or the GPU's own. */
bool ww__group_own_memory(const ww_group *group, const ww_array *array);

/* Whether the engine cannot be given such memory, the host's or the device's: at most WW__FAR_TRADES at a time then. */
bool ww__group_is_far(const ww_group *group, bool host);
ww_status ww__group_trade(ww_group *group, const ww__trade *trades, size_t many);

/* A few elements, of the host's or the device's memory, to the caller's: between the host's two by the host. */
ww_status ww__group_put(ww_group *group, ww_array from, ww_array to);

/* One number to each rank, and from each; in place of a matrix that all would have to know. */
ww_status ww__group_swap_numbers(ww_group *group, const uint64_t *to, uint64_t *from);

/* at[r] = count[0] + … + count[r - 1]; the sum of all. */
uint64_t ww__group_places(const ww_group *group, const uint64_t *count, uint64_t *at);
/* The same of said[r].number[which]: the whole array's length, and in block_at where each rank's block begins. */
uint64_t ww__group_blocks(const ww_group *group, size_t which, uint64_t *block_at);

/* Memory of the device's for `count` elements, kept in a place of its own until the group is closed; and of the host's. */
ww_status ww__group_room(ww_group *group, size_t place, uint64_t count, size_t size, void *pointer_to_pointer);
ww_status ww__group_host_room(ww_group *group, size_t place, uint64_t count, size_t size, void *pointer_to_pointer);

#endif
