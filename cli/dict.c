/* warpwise dict: an ordered dictionary in a file. Its line: an action, and the files that this takes. */
#include <string.h>

#include "dict.h"
#include "option.h"

enum { KEY = 1, VALUE, BATCH };
#define BATCH_MOST (UINT64_C(1) << 32)

static void take_action(struct argp_state *state, dict_request *r, const char *name) {
    for (const dict_action *a = dict_actions; a->name; a++)
        if (strcmp(a->name, name) == 0) r->action = a;
    if (!r->action)
        argp_error(state, "'%s' is not one of create, insert, delete, get, count, range, dump, cleanup, check, info",
                   name);
}

static void take_one(struct argp_state *state, dict_request *r, const char *name) {
    size_t i = 0;
    while (i < DICT_FILES_MOST && r->files[i]) i++;
    if (i == DICT_FILES_MOST || !r->action->files[i])
        argp_error(state, "'%s' is one file too many for dict %s", name, r->action->name);
    else
        r->files[i] = name;
}

static bool standard(const char *path) { return path && strcmp(path, "-") == 0; }

static void check_files(struct argp_state *state, const dict_request *r) {
    const dict_action *const a = r->action;
    for (size_t i = 0; i < a->needed; i++)
        if (!r->files[i]) argp_error(state, "the file %s is missing", a->files[i]);
    if (standard(r->files[0])) argp_error(state, "DB is a file of its own, not standard input");
    if (a->inputs == 2 && standard(r->files[1]) && standard(r->files[2]))
        argp_error(state, "only one of %s and %s can be standard input", a->files[1], a->files[2]);
    for (size_t i = 1 + a->inputs; i < DICT_FILES_MOST && r->files[i]; i++) {
        if (same_file(r->files[0], r->files[i])) argp_error(state, "DB and %s are the same file", a->files[i]);
        for (size_t k = 1 + a->inputs; k < i; k++)
            if (same_file(r->files[k], r->files[i]))
                argp_error(state, "%s and %s are the same file", a->files[k], a->files[i]);
    }
    if (r->creates && !dict_makes(a)) argp_error(state, "--key, --value and --batch are only for create");
}

static void parse_value(struct argp_state *state, dict_request *r, const char *text) {
    r->value = strcmp(text, "u32") == 0 ? &ww_type_uint32_t : strcmp(text, "u64") == 0 ? &ww_type_uint64_t : NULL;
    if (!r->value && strcmp(text, "none") != 0) argp_error(state, "--value=%s: is not one of none, u32 and u64", text);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    dict_request *r = state->input;
    r->creates = r->creates || key == KEY || key == VALUE || key == BATCH;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->job;
        return 0;
    case KEY:
        r->key = strcmp(argument, "u64") == 0 ? &ww_type_uint64_t : &ww_type_uint32_t;
        if (strcmp(argument, r->key->label) != 0) argp_error(state, "--key=%s: is neither u32 nor u64", argument);
        return 0;
    case VALUE:
        parse_value(state, r, argument);
        return 0;
    case BATCH:
        r->batch = parse_whole(state, "batch", argument, 1, BATCH_MOST);
        return 0;
    case ARGP_KEY_ARG:
        if (r->action)
            take_one(state, r, argument);
        else
            take_action(state, r, argument);
        return 0;
    case ARGP_KEY_END:
        if (!r->action) argp_error(state, "the action is missing: create, insert, delete, get, …");
        check_files(state, r);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(void *argument) {
    dict_request *r = argument;
    const int status = dict_run(r);
    ww_lsm_close(r->lsm);
    ww_dict_close(r->dict);
    if (r->cpu != r->job.device) ww_close(r->cpu);
    return status;
}

int dict_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"key", KEY, "T", 0, "create: type of keys, u32 (the default) or u64", 0},
        {"value", VALUE, "T", 0, "create: type of values, none, u32 (the default) or u64", 0},
        {"batch", BATCH, "N", 0, "create: expected number of keys in a batch; default: 4096", 0},
        {0}};
    static const char usage[] =
        "create DB\ninsert DB KEYS [VALUES]\ndelete DB KEYS\nget DB KEYS VALUES-OUT FOUND-OUT\n"
        "count DB LOWS HIGHS COUNTS-OUT\nrange DB LOWS HIGHS OFFSETS-OUT KEYS-OUT [VALUES-OUT]\n"
        "dump DB\ncleanup DB\ncheck DB\ninfo DB";
    static const char about[] =
        "Keeps an ordered dictionary in the file DB."
        "\v"
        "Examples:\n"
        "  warpwise dict create ages.db --key=u64 --value=u32\n"
        "  warpwise dict insert ages.db keys.npy values.npy\n"
        "  warpwise dict get ages.db wanted.npy values-out.npy found.npy\n"
        "  warpwise dict count ages.db lows.npy highs.npy counts.npy\n\n"
        "insert and delete take a batch: it is on the disk when the command ends, and there wholly or not at all "
        "whatever happens meanwhile. Of equal keys in a batch the last one counts, and an empty batch changes nothing. "
        "One command at a time changes a dictionary, and others that would are refused meanwhile; any number can read "
        "it.\n"
        "get writes each key's value, or 0 if the key is not there (an empty file if the dictionary has no values), "
        "and to FOUND-OUT 1 or 0 (u8). Both bounds of count and range are inclusive; a LOW above its HIGH is an empty "
        "range. range lists the keys of query i from position OFFSETS[i] up to, but not including, OFFSETS[i + 1]; "
        "counts and offsets are u64. dump prints lines \"key<TAB>value\" in the order of the keys. cleanup makes the "
        "file as small as it can be, check reads all of it and says what is damaged. get, count and range can run on a "
        "GPU, which then loads the whole file.\n\n"
        "Files of keys and values are raw little-endian arrays of the dictionary's types, or .npy. \"-\" is standard "
        "input or output.\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, usage, about, device_children, NULL, NULL};
    dict_request r = {.key = &ww_type_uint32_t, .value = &ww_type_uint32_t, .info = WW_DICT_INFO};
    return job_main(argc, argv, &argp, &r, run);
}
