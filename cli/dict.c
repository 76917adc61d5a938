/* warpwise dict: an ordered dictionary in a file. The actions stand in a table, with the files that each takes; every one opens the
 * dictionary, does its work and closes it, and a batch is on the disk before the command ends. A file is the CPU's; for queries on a
 * GPU it is loaded there, and what changes the file is refused under a GPU's name. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "job.h"
#include "print.h"
#include "standard.h"

enum { KEY = 1, VALUE, BATCH, FILES_MOST = 6, LISTED = 1 << 14 };
#define BATCH_MOST (UINT64_C(1) << 32)

typedef struct action action;

typedef struct request {
    job job;
    const action *action;
    const char *files[FILES_MOST]; /* the first is the dictionary */
    const ww_type *key, *value;
    uint64_t batch;
    bool creates;   /* an option of create's was given */
    ww_device *cpu; /* the file's: the job's own where that is a CPU */
    ww_dict *dict;
    ww_lsm *lsm; /* the dictionary in a GPU's memory, or NULL */
    ww_dict_info info;
    ww_file_array in[2];
    ww_array out[3];
} request;

struct action {
    const char *name;
    const char *files[FILES_MOST + 1]; /* what each is called */
    size_t needed, inputs; /* files that must be given; how many behind the first are read, the others written */
    bool writes, loads;    /* loads: a GPU can do it, once the file is in its memory */
    int (*run)(request *r);
};

/* ---- reading and writing ---- */

static ww_array type_of_value(const request *r) {
    ww_array like = {NULL, 0, r->info.value, (size_t)r->info.value_size, {0, 0}};
    return like;
}

static int read_keys(request *r, size_t file, ww_file_array *in) {
    return job_read(&r->job, r->files[file], ww_array_of(NULL, 0, r->info.key), in);
}

static int same_length(request *r) {
    const uint64_t a = r->in[0].array.count, b = r->in[1].array.count;
    if (a == b) return DONE;
    return job_fail(&r->job, "%s has %" PRIu64 " elements, %s has %" PRIu64, r->files[1], a, r->files[2], b);
}

static int room(request *r, size_t o, ww_array like, uint64_t count) {
    if (job_room(&r->job, like, count, &r->out[o])) return FAILED;
    if (count) memset(r->out[o].data, 0, count * like.size);
    return DONE;
}

/* Files from number `first` on get the outputs. */
static int write_outputs(request *r, size_t first, size_t count) {
    ww_file_output outputs[3];
    for (size_t o = 0; o < count; o++) outputs[o] = (ww_file_output){r->files[first + o], ww_from(r->out[o])};
    return job_write(&r->job, outputs, count);
}

/* ---- updates ---- */

static int create(request *r) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    options.batch = r->batch;
    return job_check(&r->job, ww_dict_create(r->job.device, r->files[0], r->key, r->value, &options));
}

static int insert(request *r) {
    job *const j = &r->job;
    ww_input values = ww_no_input;
    int status;
    if (r->info.value && !r->files[2])
        return job_fail(j, "%s has values of type %s, and the file VALUES is missing", r->files[0],
                        r->info.value->label);
    if (!r->info.value && r->files[2])
        return job_fail(j, "%s has no values, and %s is given", r->files[0], r->files[2]);
    if ((status = read_keys(r, 1, &r->in[0]))) return status;
    if (r->info.value) {
        if ((status = job_read(j, r->files[2], type_of_value(r), &r->in[1])) || (status = same_length(r)))
            return status;
        values = ww_from(r->in[1].array);
    }
    job_begin(j, "inserting", &r->in[0].array);
    return job_end(j, job_check(j, ww_dict_insert(r->dict, ww_from(r->in[0].array), values)));
}

static int delete (request *r) {
    const int status = read_keys(r, 1, &r->in[0]);
    if (status) return status;
    job_begin(&r->job, "deleting", &r->in[0].array);
    return job_end(&r->job, job_check(&r->job, ww_dict_delete(r->dict, ww_from(r->in[0].array))));
}

static int cleanup(request *r) { return job_check(&r->job, ww_dict_cleanup(r->dict)); }

/* ---- queries ---- */

static int get(request *r) {
    job *const j = &r->job;
    int status = read_keys(r, 1, &r->in[0]);
    if (status) return status;
    const ww_array keys = r->in[0].array;
    const ww_array none = ww_array_of(NULL, 0, r->info.key);
    status = r->info.value ? room(r, 0, type_of_value(r), keys.count) : room(r, 0, none, 0);
    if (status || room(r, 1, ww_array_of(NULL, 0, &ww_type_uint8_t), keys.count)) return FAILED;
    job_begin(j, "looking up", &keys);
    const ww_array values = r->info.value ? r->out[0] : ww_none;
    status = job_check(j, r->lsm ? ww_lsm_lookup(r->lsm, ww_from(keys), values, r->out[1])
                                 : ww_dict_lookup(r->dict, ww_from(keys), values, r->out[1]));
    status = job_end(j, status);
    return status ? status : write_outputs(r, 2, 2);
}

static int read_bounds(request *r) {
    int status = read_keys(r, 1, &r->in[0]);
    if (!status) status = read_keys(r, 2, &r->in[1]);
    return status ? status : same_length(r);
}

static int count(request *r) {
    job *const j = &r->job;
    int status = read_bounds(r);
    if (status) return status;
    const ww_input lows = ww_from(r->in[0].array), highs = ww_from(r->in[1].array);
    if (room(r, 0, ww_array_of(NULL, 0, &ww_type_uint64_t), lows.count)) return FAILED;
    job_begin(j, "counting between", &r->in[0].array);
    status = job_check(j, r->lsm ? ww_lsm_count(r->lsm, lows, highs, r->out[0])
                                 : ww_dict_count(r->dict, lows, highs, r->out[0]));
    status = job_end(j, status);
    return status ? status : write_outputs(r, 3, 1);
}

/* Offsets, and with keys what they are offsets of. */
static int list_between(request *r, ww_input lows, ww_input highs, ww_array keys, ww_array values) {
    const ww_status status = r->lsm ? ww_lsm_range(r->lsm, lows, highs, r->out[0], keys, values)
                                    : ww_dict_range(r->dict, lows, highs, r->out[0], keys, values);
    return job_check(&r->job, status ? status : ww_sync(r->job.device));
}

static int range(request *r) {
    job *const j = &r->job;
    const bool values = r->files[5];
    if (values && !r->info.value) return job_fail(j, "%s has no values, and %s is given", r->files[0], r->files[5]);
    int status = read_bounds(r);
    if (status) return status;
    const ww_input lows = ww_from(r->in[0].array), highs = ww_from(r->in[1].array);
    if (room(r, 0, ww_array_of(NULL, 0, &ww_type_uint64_t), lows.count + 1)) return FAILED;
    job_begin(j, "listing between", &r->in[0].array);
    if (list_between(r, lows, highs, ww_none, ww_none)) return FAILED;
    const uint64_t all = ((const uint64_t *)r->out[0].data)[lows.count];
    if (room(r, 1, ww_array_of(NULL, 0, r->info.key), all) || (values && room(r, 2, type_of_value(r), all)))
        return FAILED;
    if (all) status = list_between(r, lows, highs, r->out[1], values ? r->out[2] : ww_none);
    status = job_end(j, status);
    return status ? status : write_outputs(r, 3, values ? 3 : 2);
}

static uint64_t key_at(const request *r, uint64_t i) {
    if (r->info.key == &ww_type_uint32_t) return ((const uint32_t *)r->out[0].data)[i];
    return ((const uint64_t *)r->out[0].data)[i];
}

static void print_value(const request *r, uint64_t i) {
    char text[VALUE_TEXT];
    const unsigned char *const value = (const unsigned char *)r->out[1].data + i * r->info.value_size;
    if (r->info.value == &ww_type_record)
        for (size_t b = 0; b < r->info.value_size; b++) printf("%02x", value[b]);
    else
        fputs(value_text(r->info.value, value, text), stdout);
}

static int dump(request *r) {
    job *const j = &r->job;
    uint64_t first = 0, listed = 1;
    if (room(r, 0, ww_array_of(NULL, 0, r->info.key), LISTED)) return FAILED;
    if (r->info.value && room(r, 1, type_of_value(r), LISTED)) return FAILED;
    while (listed) {
        if (job_check(j, ww_dict_list(r->dict, first, r->out[0], r->info.value ? r->out[1] : ww_none, &listed)))
            return FAILED;
        for (uint64_t i = 0; i < listed; i++) {
            printf("%" PRIu64, key_at(r, i));
            if (r->info.value) putchar('\t');
            if (r->info.value) print_value(r, i);
            putchar('\n');
        }
        if (ferror(stdout) || !listed) return DONE; /* what cannot be written is said at the end */
        first = key_at(r, listed - 1) + 1;
        if (!first) return DONE;
    }
    return DONE;
}

static int check(request *r) { return job_check(&r->job, ww_dict_check(r->dict)); }

static int print_info(request *r) {
    const ww_dict_info *const i = &r->info;
    printf("keys       %s\n", i->key->label);
    if (i->value == &ww_type_record)
        printf("values     rec:%" PRIu64 "\n", i->value_size);
    else
        printf("values     %s\n", i->value ? i->value->label : "none");
    printf("batch      %" PRIu64 "\nchanges    %" PRIu64 "\nlevels     %" PRIu64 "\nelements   %" PRIu64
           "\noldest     %" PRIu64 "\nbytes      %" PRIu64 "\nlive       %" PRIu64 "\n",
           i->batch, i->changes, i->levels, i->elements, i->oldest, i->file_bytes, i->live_bytes);
    return DONE;
}

/* ---- the command line ---- */

static const action actions[] = {
    {"create", {"DB"}, 1, 0, false, false, create},
    {"insert", {"DB", "KEYS", "VALUES"}, 2, 2, true, false, insert},
    {"delete", {"DB", "KEYS"}, 2, 1, true, false, delete},
    {"get", {"DB", "KEYS", "VALUES-OUT", "FOUND-OUT"}, 4, 1, false, true, get},
    {"count", {"DB", "LOWS", "HIGHS", "COUNTS-OUT"}, 4, 2, false, true, count},
    {"range", {"DB", "LOWS", "HIGHS", "OFFSETS-OUT", "KEYS-OUT", "VALUES-OUT"}, 5, 2, false, true, range},
    {"dump", {"DB"}, 1, 0, false, false, dump},
    {"cleanup", {"DB"}, 1, 0, true, false, cleanup},
    {"check", {"DB"}, 1, 0, false, false, check},
    {"info", {"DB"}, 1, 0, false, false, print_info},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static void take_action(struct argp_state *state, request *r, const char *name) {
    for (size_t a = 0; a < ACTIONS; a++)
        if (strcmp(actions[a].name, name) == 0) r->action = &actions[a];
    if (!r->action)
        argp_error(state, "'%s' is none of create, insert, delete, get, count, range, dump, cleanup, check, info",
                   name);
}

static void take_one(struct argp_state *state, request *r, const char *name) {
    size_t i = 0;
    while (i < FILES_MOST && r->files[i]) i++;
    if (i == FILES_MOST || !r->action->files[i])
        argp_error(state, "'%s' is one file too many for dict %s", name, r->action->name);
    else
        r->files[i] = name;
}

static bool standard(const char *path) { return path && strcmp(path, "-") == 0; }

static void check_files(struct argp_state *state, const request *r) {
    const action *const a = r->action;
    for (size_t i = 0; i < a->needed; i++)
        if (!r->files[i]) argp_error(state, "the file %s is missing", a->files[i]);
    if (standard(r->files[0])) argp_error(state, "DB is a file of its own, not standard input");
    if (a->inputs == 2 && standard(r->files[1]) && standard(r->files[2]))
        argp_error(state, "only one of %s and %s can be standard input", a->files[1], a->files[2]);
    for (size_t i = 1 + a->inputs; i < FILES_MOST && r->files[i]; i++) {
        if (same_file(r->files[0], r->files[i])) argp_error(state, "DB and %s are one file", a->files[i]);
        for (size_t k = 1 + a->inputs; k < i; k++)
            if (same_file(r->files[k], r->files[i]))
                argp_error(state, "%s and %s are one file", a->files[k], a->files[i]);
    }
    if (r->creates && a->run != create) argp_error(state, "--key, --value and --batch are create's");
}

static void parse_value(struct argp_state *state, request *r, const char *text) {
    r->value = strcmp(text, "u32") == 0 ? &ww_type_uint32_t : strcmp(text, "u64") == 0 ? &ww_type_uint64_t : NULL;
    if (!r->value && strcmp(text, "none") != 0) argp_error(state, "--value=%s: is none of none, u32 and u64", text);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
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
        if (!parse_count(argument, 1, BATCH_MOST, &r->batch))
            argp_error(state, "--batch=%s: is no number from 1 to %" PRIu64, argument, BATCH_MOST);
        return 0;
    case ARGP_KEY_ARG:
        if (r->action)
            take_one(state, r, argument);
        else
            take_action(state, r, argument);
        return 0;
    case ARGP_KEY_END:
        if (!r->action) argp_error(state, "what to do is missing: create, insert, delete, get, …");
        check_files(state, r);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The file's types are wanted before what is to be read, so it is opened by a CPU in any case. */
static int open_dict(request *r) {
    job *const j = &r->job;
    if (j->gpu && !r->action->loads)
        return job_fail(j, "%s is the CPU's work: --device=cpu; a GPU's are get, count and range", r->action->name);
    if (j->gpu && job_check(j, ww_open("cpu", &r->cpu))) return FAILED;
    if (!j->gpu) r->cpu = j->device;
    const ww_status status = ww_dict_open(r->cpu, r->files[0], NULL, r->action->writes, &r->dict);
    if (status && j->gpu) return job_fail(j, "%s", without_call(ww_error(r->cpu)));
    if (status) return job_check(j, status);
    ww_dict_info_get(r->dict, &r->info);
    return j->gpu ? job_check(j, ww_lsm_load(j->device, r->files[0], NULL, &r->lsm)) : DONE;
}

static int run(request *r) {
    if (r->action->run == create) return create(r);
    return open_dict(r) ? FAILED : r->action->run(r);
}

int dict_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"key", KEY, "T", 0, "create: type of keys, u32 (the default) or u64", 0},
        {"value", VALUE, "T", 0, "create: type of values, none, u32 (the default) or u64", 0},
        {"batch", BATCH, "N", 0, "create: keys of a batch that is expected; default 4096", 0},
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
        "insert and delete take a batch: it is on the disk when the command ends, and wholly there or not at all whatever "
        "happens meanwhile. Of equal keys in a batch the last one counts, and an empty batch changes nothing. One "
        "command changes a dictionary at a time, another one is refused meanwhile; any number read it.\n"
        "get writes for each key its value, 0 where there is none (an empty file where the dictionary has no values), "
        "and to FOUND-OUT 1 or 0 (u8). count and range take bounds that are both inclusive; a LOW above its HIGH "
        "is an empty range. range lists the keys of query i from position OFFSETS[i] to before OFFSETS[i + 1]; counts and "
        "offsets are u64. dump prints lines \"key<TAB>value\" in the keys' order. cleanup makes the file as small as it "
        "can be, check reads all of it and says what is damaged. get, count and range can be a GPU's work, which loads all of "
        "the file then.\n"
        "\nFiles of keys and values are raw little-endian arrays of the dictionary's types, or .npy. \"-\" is standard input "
        "or output.\n" STATUS_HELP;
    static const struct argp_child children[] = {{&device_options, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse_option, usage, about, children, NULL, NULL};
    request r = {
        .job = {.command = argv[0]}, .key = &ww_type_uint32_t, .value = &ww_type_uint32_t, .info = WW_DICT_INFO};
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    if (job_open(&r.job)) return job_close(&r.job, FAILED);
    const int status = run(&r);
    job_free(&r.job, r.out, 3);
    ww_file_release(r.job.device, &r.in[0]);
    ww_file_release(r.job.device, &r.in[1]);
    ww_lsm_close(r.lsm);
    ww_dict_close(r.dict);
    if (r.cpu != r.job.device) ww_close(r.cpu);
    return job_close(&r.job, status);
}
