/* What warpwise dict does. The actions stand in a table, with the files that each takes; every one opens the dictionary, does
 * its work and closes it, and a batch is on the disk before the command ends. A file is the CPU's; for queries on a GPU it is
 * loaded there, and what changes the file is refused under a GPU's name. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dict.h"
#include "print.h"

enum { LISTED = 1 << 14 }; /* keys that dump asks for at once */

/* ---- reading and writing ---- */

static ww_array type_of_value(const dict_request *r) {
    ww_array like = {NULL, 0, r->info.value, (size_t)r->info.value_size, NULL, 0};
    return like;
}

static int read_keys(dict_request *r, size_t file, ww_file_array *in) {
    return job_read(&r->job, r->files[file], ww_array_of(NULL, 0, r->info.key), in);
}

static int same_length(dict_request *r) {
    const uint64_t a = r->in[0].array.count, b = r->in[1].array.count;
    if (a == b) return DONE;
    return job_fail(&r->job, "%s has %" PRIu64 " elements, %s has %" PRIu64, r->files[1], a, r->files[2], b);
}

static int room(dict_request *r, size_t o, ww_array like, uint64_t count) {
    if (job_room(&r->job, like, count, &r->out[o])) return FAILED;
    if (count) memset(r->out[o].data, 0, count * like.size);
    return DONE;
}

/* Files from number `first` on get the outputs. */
static int write_outputs(dict_request *r, size_t first, size_t count) {
    ww_file_output outputs[3];
    for (size_t o = 0; o < count; o++) outputs[o] = (ww_file_output){r->files[first + o], ww_from(r->out[o])};
    return job_write(&r->job, outputs, count);
}

/* ---- updates ---- */

static int create(dict_request *r) {
    ww_lsm_options options = WW_LSM_OPTIONS;
    options.batch = r->batch;
    return job_check(&r->job, ww_dict_create(r->job.device, r->files[0], r->key, r->value, &options));
}

static int insert(dict_request *r) {
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

static int delete (dict_request *r) {
    const int status = read_keys(r, 1, &r->in[0]);
    if (status) return status;
    job_begin(&r->job, "deleting", &r->in[0].array);
    return job_end(&r->job, job_check(&r->job, ww_dict_delete(r->dict, ww_from(r->in[0].array))));
}

static int cleanup(dict_request *r) { return job_check(&r->job, ww_dict_cleanup(r->dict)); }

/* ---- queries ---- */

static int get(dict_request *r) {
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

static int read_bounds(dict_request *r) {
    int status = read_keys(r, 1, &r->in[0]);
    if (!status) status = read_keys(r, 2, &r->in[1]);
    return status ? status : same_length(r);
}

static int count(dict_request *r) {
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
static int list_between(dict_request *r, ww_input lows, ww_input highs, ww_array keys, ww_array values) {
    const ww_status status = r->lsm ? ww_lsm_range(r->lsm, lows, highs, r->out[0], keys, values)
                                    : ww_dict_range(r->dict, lows, highs, r->out[0], keys, values);
    return job_check(&r->job, status ? status : ww_sync(r->job.device));
}

static int range(dict_request *r) {
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

static uint64_t key_at(const dict_request *r, uint64_t i) {
    if (r->info.key == &ww_type_uint32_t) return ((const uint32_t *)r->out[0].data)[i];
    return ((const uint64_t *)r->out[0].data)[i];
}

static void print_value(const dict_request *r, uint64_t i) {
    char text[VALUE_TEXT];
    const unsigned char *const value = (const unsigned char *)r->out[1].data + i * r->info.value_size;
    if (r->info.value == &ww_type_record)
        for (size_t b = 0; b < r->info.value_size; b++) printf("%02x", value[b]);
    else
        fputs(value_text(r->info.value, value, text), stdout);
}

static int dump(dict_request *r) {
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

static int check(dict_request *r) { return job_check(&r->job, ww_dict_check(r->dict)); }

static int print_info(dict_request *r) {
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

/* ---- one of them ---- */

const dict_action dict_actions[] = {
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
    {0}};

/* The file's types are wanted before what is to be read, so it is opened by a CPU in any case. */
static int open_dict(dict_request *r) {
    job *const j = &r->job;
    if (j->gpu && !r->action->loads)
        return job_fail(j, "%s runs only on the CPU (--device=cpu); get, count and range also run on a GPU",
                        r->action->name);
    if (j->gpu && job_check(j, ww_open("cpu", &r->cpu))) return FAILED;
    if (!j->gpu) r->cpu = j->device;
    const ww_status status = ww_dict_open(r->cpu, r->files[0], NULL, r->action->writes, &r->dict);
    if (status && j->gpu) return job_fail(j, "%s", without_call(ww_error(r->cpu)));
    if (status) return job_check(j, status);
    ww_dict_info_get(r->dict, &r->info);
    return j->gpu ? job_check(j, ww_lsm_load(j->device, r->files[0], NULL, &r->lsm)) : DONE;
}

int dict_run(dict_request *r) {
    if (r->action->run == create) return create(r);
    return open_dict(r) ? FAILED : r->action->run(r);
}

bool dict_makes(const dict_action *action) { return action->run == create; }
