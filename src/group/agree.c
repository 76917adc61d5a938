/* What all ranks come to know of each other in a call: a gather of one short record each. So all return the same status, with the
 * same sentence. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/array.h"
#include "device/options.h"
#include "group/group.h"
#include "warpwise/input.h"

ww_status ww__group_enter(ww_group *group, const char *call) {
    if (!group) return WW_INVALID;
    if (__atomic_exchange_n(&group->busy, 1, __ATOMIC_ACQUIRE)) return WW_BUSY;
    if (group->failure) return ww__group_leave(group, group->failure);
    group->call = call;
    group->step = 0;
    group->sentence[0] = 0;
    return WW_OK;
}

ww_status ww__group_leave(ww_group *group, ww_status status) {
    if (!status && group->device->gpu) status = ww_sync(group->device); /* a call returns when its result is there */
    __atomic_store_n(&group->busy, 0, __ATOMIC_RELEASE);
    return status;
}

ww_status ww__group_say(ww_group *group, ww_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(group->sentence, sizeof group->sentence, format, arguments);
    va_end(arguments);
    return status;
}

ww_status ww__group_fail(ww_group *group, ww_status status, const char *format, ...) {
    char sentence[WW__SAID_SENTENCE + 64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    snprintf(group->error, sizeof group->error, "%s: %s", group->call, sentence);
    return status;
}

/* ---- arguments, inside a call of the device's that does nothing else ---- */

ww_status ww__group_check_begin(ww_group *group) { return ww__call_not_on_paper(group->device, group->call); }

ww_status ww__group_check_array(ww_group *group, const char *name, const ww_array *array) {
    WW_TRY(ww__enter(group->device, group->call));
    return ww__leave(group->device, ww__check_any_array(group->device, name, array));
}

ww_status ww__group_check_memory(ww_group *group, const char *name, const ww_input *input, ww_array *array) {
    WW_TRY(ww__enter(group->device, group->call));
    return ww__leave(group->device, ww__check_memory(group->device, name, input, array));
}

ww_status ww__group_check_apart(ww_group *group, const char *name_a, const ww_array *a, const char *name_b,
                                const ww_array *b) {
    WW_TRY(ww__enter(group->device, group->call));
    return ww__leave(group->device, ww__check_outputs_apart(group->device, name_a, a, name_b, b));
}

ww_status ww__group_take_options(ww_group *group, const void *given, const char *start, void *taken, size_t bytes) {
    WW_TRY(ww__enter(group->device, group->call));
    return ww__leave(group->device, ww__take_options(group->device, given, start, taken, bytes));
}

/* ---- the engine's functions ---- */

ww_status ww__group_lost(ww_group *group, ww_status status, const char *why) {
    group->engine.abort(group->engine.state);
    group->failure = status;
    return ww__group_fail(group, status, "%s", *why ? why : ww_status_text(status));
}

ww_status ww__group_gather(ww_group *group, const void *mine, size_t bytes, void *all) {
    const ww_engine *e = &group->engine;
    char why[WW_ENGINE_WHY] = "";
    ww_status status = e->gather(e->state, mine, bytes, all, why);
    if (!status) status = e->wait(e->state, group->limit_ms, why);
    return status ? ww__group_lost(group, status, why) : WW_OK;
}

/* ---- agreement ---- */

/* The device's last sentence, without the call's name where that is this one. */
static const char *device_said(const ww_group *group) {
    const char *said = ww_error(group->device);
    const size_t call = strlen(group->call);
    return strncmp(said, group->call, call) || strncmp(said + call, ": ", 2) ? said : said + call + 2;
}

static void speak(ww_group *group, ww_status status, const unsigned char *digest, const uint64_t *numbers,
                  size_t many) {
    ww__said *mine = &group->mine;
    memset(mine, 0, sizeof *mine);
    mine->status = (uint32_t)status;
    mine->step = group->step++;
    snprintf(mine->call, sizeof mine->call, "%s", group->call);
    if (digest) memcpy(mine->digest, digest, sizeof mine->digest);
    if (many) memcpy(mine->number, numbers, many * sizeof *numbers);
    if (status)
        snprintf(mine->sentence, sizeof mine->sentence, "%s",
                 group->sentence[0] ? group->sentence : device_said(group));
}

/* Sentences are taken as far as they go: what another rank sends need not end. */
static ww_status listen(ww_group *group) {
    const ww__said *said = group->said;
    const uint32_t ranks = group->engine.ranks;
    for (uint32_t r = 1; r < ranks; r++)
        if (strncmp(said[r].call, said[0].call, sizeof said[0].call) || said[r].step != said[0].step)
            return ww__group_fail(group, WW_INVALID, "rank %u called %.40s where rank 0 called %.40s", r, said[r].call,
                                  said[0].call);
    for (uint32_t r = 0; r < ranks; r++)
        if (said[r].status)
            return ww__group_fail(group, (ww_status)said[r].status, "rank %u: %.*s", r, WW__SAID_SENTENCE,
                                  said[r].sentence);
    for (uint32_t r = 1; r < ranks; r++)
        if (memcmp(said[r].digest, said[0].digest, sizeof said[0].digest))
            return ww__group_fail(group, WW_INVALID,
                                  "rank %u was given other functions, types, numbers or options than rank 0", r);
    return WW_OK;
}

ww_status ww__group_agree(ww_group *group, ww_status status, const unsigned char *digest, const uint64_t *numbers,
                          size_t many) {
    speak(group, status, digest, numbers, many);
    WW_TRY(ww__group_gather(group, &group->mine, sizeof group->mine, group->said));
    return listen(group);
}

/* ---- what has to be the same on all ranks ---- */

void ww__agree_number(ww__digest *digest, uint64_t number) { ww__digest_add(digest, &number, sizeof number); }

void ww__agree_type(ww__digest *digest, const ww_type *type, size_t size) {
    ww__digest_add_text(digest, type ? type->label : "none");
    ww__agree_number(digest, size);
}

/* The environment's content lies wherever the caller has it: the device brings it. */
static void agree_environment(ww_group *group, ww__digest *digest, const ww_function *f) {
    enum { PIECE = 4096 };
    uint8_t piece[PIECE];
    size_t bytes;
    ww__agree_type(digest, f->bound_type, f->bound_type ? f->bound_type->size : 0);
    ww__agree_number(digest, f->bound_count);
    if (!f->bound || !f->bound_type || !ww__bytes(f->bound_count, f->bound_type->size, &bytes)) return;
    for (size_t at = 0; at < bytes; at += PIECE) {
        const size_t n = bytes - at < PIECE ? bytes - at : PIECE;
        if (ww_copy(group->device, ww_memory((const uint8_t *)f->bound + at, n), ww_array(piece, n))) return;
        ww__digest_add(digest, piece, n);
    }
}

void ww__agree_function(ww_group *group, ww__digest *digest, const ww_function *f) {
    enum { TEXT = 4096 };
    char text[TEXT];
    if (!f) {
        ww__digest_add_text(digest, "no function");
        return;
    }
    ww__digest_add_text(digest, f->name);
    ww__agree_number(digest, ((uint64_t)f->role << 32) | f->flags);
    ww__digest_add_text(digest, f->body ? f->body : "");
    if (f->role != WW_ROLE_BUILT_IN) { /* with what it uses, as far as that has room here */
        ww_function_source(f, text, sizeof text);
        ww__digest_add_text(digest, text);
    }
    agree_environment(group, digest, f);
}
