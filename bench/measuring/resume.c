/* A file is of the same run where all that can change a rate is the same: machine, compiler, commit, device, threads, loops,
 * peers, --size and --repeat. Rows are found again by their family's and their own name, and by n. */
#include "measuring/resume.h"

#include <stdlib.h>
#include <string.h>

#include "families/families.h"
#include "studies/text_data.h"

static bool same_text(const char *path, const char *what, const char *was, const char *is) {
    if (!strcmp(was, is)) return true;
    fprintf(stderr, "warpwise bench: %s was measured with %s '%s', and here it is '%s'; give --json another name\n",
            path, what, was, is);
    return false;
}

static bool same_number(const char *path, const char *what, double was, double is) {
    char before[32], here[32];
    snprintf(before, sizeof before, "%.17g", was);
    snprintf(here, sizeof here, "%.17g", is);
    return same_text(path, what, before, here);
}

/* As it comes out of the file: without what cannot be written there. */
static const char *written(const char *text, char *room, size_t bytes) {
    size_t n = 0;
    for (; *text && n + 1 < bytes; text++)
        if ((unsigned char)*text >= ' ') room[n++] = *text;
    room[n] = '\0';
    return room;
}

static bool same_machine(const bench_report *report, const char *path, const json *machine) {
    const bench_machine *m = &report->machine;
    char room[128];
    return same_text(path, "the CPU", json_text(machine, "cpu"), written(m->cpu, room, sizeof room)) &&
           same_number(path, "cores:", json_value(machine, "cores"), (double)m->cores) &&
           same_number(path, "memory in GiB:", json_value(machine, "memory_gib"), (double)m->memory_gib) &&
           same_text(path, "the kernel", json_text(machine, "kernel"), written(m->kernel, room, sizeof room)) &&
           same_text(path, "the compiler", json_text(machine, "compiler"), written(m->compiler, room, sizeof room));
}

static bool same_library(const bench_report *report, const char *path, const json *library) {
    ww_device_info info = WW_DEVICE_INFO;
    if (ww_device_info_get(report->run->device, &info)) return false;
    return same_text(path, "version", json_text(library, "version"), ww_version()) &&
           same_text(path, "commit", json_text(library, "commit"), report->machine.commit) &&
           same_text(path, "the device", json_text(library, "backend"), info.backend) &&
           same_text(path, "the device", json_text(library, "device"), info.description) &&
           same_text(path, "vectors", json_text(library, "vector"), info.vector) &&
           same_number(path, "threads:", json_value(library, "threads"), info.threads);
}

static bool same_options(const bench_report *report, const char *path, const json *options) {
    const bench_options *o = report->run->options;
    for (int t = 0; t < BENCH_TEXTS; t++) {
        char room[256], what[16];
        snprintf(what, sizeof what, "--%s", text_names[t]);
        const char *is = o->texts[t] ? text_title((text_kind)t) : "";
        if (!same_text(path, what, json_text(options, text_names[t]), written(is, room, sizeof room))) return false;
    }
    return same_text(path, "--clock", json_text(options, "clock"), o->processors ? "processor" : "") &&
           same_number(path, "--size", json_value(options, "size"), (double)o->size) &&
           same_number(path, "--repeat", json_value(options, "repeat"), o->repeat) &&
           same_number(path, "--peers", json_value(options, "peers"), o->peers);
}

bool resume_read(const bench_report *report, const char *path, json **earlier) {
    bool there;
    json *j = *earlier = json_read(path, &there);
    if (!there) return true;
    if (!json_member(j, "rows") || !json_member(j, "options")) {
        fprintf(stderr, "warpwise bench: %s is not the JSON of a run that can be resumed\n", path);
        json_free(j);
        return false;
    }
    if (same_machine(report, path, json_member(j, "machine")) &&
        same_library(report, path, json_member(j, "library")) &&
        same_options(report, path, json_member(j, "options"))) {
        *earlier = j;
        return true;
    }
    json_free(j);
    return false;
}

static size_t family_by_name(const char *name) {
    size_t f = 0;
    while (f < FAMILIES && strcmp(families[f]->name, name)) f++;
    return f;
}

/* The row that the file's is of, and its slot; NULL where there is none. */
static const bench_row *row_of(const bench_run *run, const json *j, size_t *slot) {
    const size_t f = family_by_name(json_text(j, "family"));
    const bench_row *row;
    char name[96];
    if (f == FAMILIES) return NULL;
    *slot = family_slot(f);
    for (size_t i = 0; (row = family_row(families[f], i)); i++, ++*slot) {
        row_name(run, row, name, sizeof name);
        if (!strcmp(name, json_text(j, "name")) && (double)row_items(run, row) == json_value(j, "n")) return row;
    }
    return NULL;
}

/* The call's name of a contestant stands in the row's tables; it need not be the same string. */
static void fill_entry(bench_entry *e, const json *j, unsigned calls) {
    const json *seconds = json_member(j, "seconds");
    snprintf(e->who, sizeof e->who, "%s", json_text(j, "who"));
    snprintf(e->why, sizeof e->why, "%s", json_text(j, "why"));
    e->ok = json_value(j, "verified") > 0;
    e->unsupported = json_value(j, "unsupported") > 0;
    e->queued = (unsigned)json_value(j, "queued");
    e->seconds = (bench_spread){json_value(seconds, "min") * calls, json_value(seconds, "median") * calls,
                                json_value(seconds, "max") * calls, (unsigned)json_value(seconds, "samples")};
}

static const char *call_of(const bench_run *run, const bench_row *row, const char *who) {
    if (!strcmp(who, "Warpwise")) return row->call;
    if (!strcmp(who, "base")) return row->base_call;
    if (!strcmp(who, BENCH_ONE)) return BENCH_ONE_CALL;
    for (size_t r = 0; r < row->rival_count; r++)
        if (!strcmp(who, row->rivals[r].who)) return row->rivals[r].call;
    for (size_t p = 0; p < PEERS; p++)
        if (!strcmp(who, run->peers[p].name)) return peer_call(&run->peers[p], row->peer);
    return NULL;
}

static bool fill_result(const bench_run *run, const bench_row *row, const json *j, bench_result *r) {
    const json *entries = json_member(j, "entries");
    *r = (bench_result){.n = row_items(run, row), .calls = (unsigned)json_value(j, "calls")};
    r->family = families[family_by_name(json_text(j, "family"))];
    row_name(run, row, r->name, sizeof r->name);
    for (const json *e = entries ? entries->first : NULL; e && r->entries < BENCH_CONTESTANTS; e = e->next) {
        bench_entry *entry = &r->entry[r->entries++];
        fill_entry(entry, e, r->calls);
        entry->call = call_of(run, row, entry->who);
        if (!entry->call || (!entry->ok && !entry->unsupported)) return false;
    }
    if (r->entries) r->row = row;
    return r->entries > 0;
}

static void fill_copy(copy_rate *copy, const json *j) {
    const json *methods = json_member(j, "methods");
    int m = 0;
    for (const json *k = methods ? methods->first : NULL; k && m < COPY_METHODS; k = k->next, m++) {
        const json *all = json_member(k, "all");
        for (const json *s = all ? all->first : NULL; s; s = s->next) copy_recall(copy, m, s->value);
    }
}

size_t resume_fill(bench_report *report, const json *earlier) {
    const json *rows = json_member(earlier, "rows");
    size_t filled = 0, slot;
    fill_copy(&report->copy, json_member(earlier, "copy"));
    for (const json *j = rows ? rows->first : NULL; j; j = j->next) {
        const bench_row *row = row_of(report->run, j, &slot);
        bench_result result;
        if (!row || !fill_result(report->run, row, j, &result)) continue;
        report->results[slot] = result;
        filled++;
    }
    return filled;
}
