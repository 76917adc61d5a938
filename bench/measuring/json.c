/* The results as JSON, one row a line, so that two runs can be compared with diff, and a run can be resumed (resume.c).
 * Seconds are of one call. */
#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "measuring/report.h"
#include "studies/text_data.h"

static void text(FILE *f, const char *name, const char *value) {
    fprintf(f, "\"%s\": \"", name);
    for (const char *c = value; *c; c++) {
        if ((unsigned char)*c < ' ') continue;
        if (*c == '"' || *c == '\\') fputc('\\', f);
        fputc(*c, f);
    }
    fputc('"', f);
}

static void number(FILE *f, const char *name, double value) {
    fprintf(f, "\"%s\": %.6g", name, isfinite(value) ? value : 0.0);
}

static void spread(FILE *f, const bench_spread *s, double calls) {
    fprintf(f, "\"seconds\": {\"min\": %.6g, \"median\": %.6g, \"max\": %.6g, \"samples\": %u}", s->min / calls,
            s->median / calls, s->max / calls, s->count);
}

static void machine(FILE *f, const bench_report *report) {
    const bench_machine *m = &report->machine;
    fprintf(f, "  \"machine\": {");
    text(f, "cpu", m->cpu);
    fprintf(f, ", \"cores\": %ld, \"memory_gib\": %lu, \"cache_l2\": %zu, \"cache_l3\": %zu, ", m->cores, m->memory_gib,
            m->cache_l2, m->cache_l3);
    text(f, "kernel", m->kernel);
    fprintf(f, ", ");
    text(f, "compiler", m->compiler);
    fprintf(f, "},\n");
}

static void library(FILE *f, const bench_report *report) {
    ww_device_info info = WW_DEVICE_INFO;
    fprintf(f, "  \"library\": {");
    text(f, "version", ww_version());
    fprintf(f, ", ");
    text(f, "commit", report->machine.commit);
    if (!ww_device_info_get(report->run->device, &info)) {
        fprintf(f, ", \"threads\": %u, ", info.threads);
        text(f, "vector", info.vector);
        fprintf(f, ", ");
        text(f, "backend", info.backend);
        fprintf(f, ", ");
        text(f, "device", info.description);
    }
    fprintf(f, "},\n");
}

static void options(FILE *f, const bench_options *o) {
    fprintf(f, "  \"options\": {\"size\": %zu, \"repeat\": %u, \"peers\": %s", o->size, o->repeat,
            o->peers ? "true" : "false");
    if (o->processors) fprintf(f, ", \"clock\": \"processor\"");
    for (int t = 0; t < BENCH_TEXTS; t++) {
        if (!o->texts[t]) continue;
        fprintf(f, ", ");
        text(f, text_names[t], text_title((text_kind)t));
    }
    fprintf(f, "},\n");
}

static void peers(FILE *f, const bench_report *report) {
    fprintf(f, "  \"peers\": [");
    for (size_t p = 0; p < PEERS; p++) {
        const bench_peer *peer = &report->run->peers[p];
        fprintf(f, "%s\n    {", p ? "," : "");
        text(f, "name", peer->name);
        fprintf(f, ", \"here\": %s, ", peer->here ? "true" : "false");
        text(f, "about", peer->about);
        fprintf(f, "}");
    }
    fprintf(f, "\n  ],\n");
}

static void copy(FILE *f, const bench_report *report) {
    const copy_rate *c = &report->copy;
    fprintf(f, "  \"copy\": {");
    number(f, "gbps", c->gbps);
    if (!c->device) fprintf(f, ", \"threads\": %u", c->threads);
    fprintf(f, ", \"array_bytes\": %zu, ", c->bytes);
    if (!c->device) {
        number(f, "huge_pages", report->huge_share);
        fprintf(f, ", ");
    }
    text(f, "best", c->names[c->best]);
    fprintf(f, ", \"methods\": [");
    for (int m = 0; m < COPY_METHODS; m++) {
        fprintf(f, "%s{", m ? ", " : "");
        text(f, "name", c->names[m]);
        fprintf(f, ", ");
        spread(f, &c->spread[m], 1);
        fprintf(f, ", \"all\": [");
        for (unsigned k = 0; k < c->count[m]; k++) fprintf(f, "%s%.6g", k ? ", " : "", c->samples[m][k]);
        fprintf(f, "]}");
    }
    fprintf(f, "]},\n");
}

static void entry(FILE *f, const bench_report *report, const bench_result *r, size_t k) {
    const bench_entry *e = &r->entry[k];
    fprintf(f, "%s{", k ? ", " : "");
    text(f, "who", e->who);
    fprintf(f, ", ");
    text(f, "call", e->call);
    if (!e->ok) {
        fprintf(f, ", \"verified\": false, \"unsupported\": %s, ", e->unsupported ? "true" : "false");
        text(f, "why", e->why);
    } else {
        fprintf(f, ", \"verified\": true, ");
        if (!report->run->cpu) fprintf(f, "\"queued\": %u, ", e->queued);
        spread(f, &e->seconds, r->calls);
        fprintf(f, ", ");
        number(f, "mitems", items_rate(r, k));
        fprintf(f, ", ");
        number(f, "gbps", items_rate(r, k) * r->row->bytes / 1e3);
        fprintf(f, ", ");
        number(f, "of_copy", copy_fraction(report, r, k));
        if (k) {
            fprintf(f, ", ");
            number(f, "ratio", rate_ratio(r, k));
        }
    }
    fprintf(f, "}");
}

static void target(FILE *f, const bench_report *report, const bench_result *r) {
    static const char *const words[] = {"", "met", "not met", "not known"};
    const bench_target *t = &r->row->target;
    if (t->against == AGAINST_NOTHING || !report->run->cpu) return;
    fprintf(f, ", \"target\": {");
    text(f, "against", against_name(t->against));
    fprintf(f, ", ");
    number(f, "ratio", t->ratio);
    fprintf(f, ", ");
    if (t->absolute > 0 && absolute_counts(report)) {
        number(f, "mitems", t->absolute);
        fprintf(f, ", ");
    }
    number(f, "reached", target_reached(report, r));
    fprintf(f, ", ");
    text(f, "verdict", words[target_verdict(report, r)]);
    fprintf(f, "}");
}

static void row(FILE *f, const bench_report *report, const bench_result *r) {
    fprintf(f, "\n    {");
    text(f, "family", r->family->name);
    fprintf(f, ", ");
    text(f, "name", r->name);
    fprintf(f, ", \"n\": %zu, \"calls\": %u, \"bytes_per_item\": %.6g, \"element\": %zu, \"study\": %s", r->n, r->calls,
            r->row->bytes, r->row->element, r->row->point ? "true" : "false");
    target(f, report, r);
    fprintf(f, ", \"entries\": [");
    for (size_t k = 0; k < r->entries; k++) entry(f, report, r, k);
    fprintf(f, "]}");
}

static void texts(FILE *f, const char *name, const char *first, size_t step, size_t count) {
    fprintf(f, "\"%s\": [", name);
    for (size_t i = 0; i < count; i++) fprintf(f, "%s\"%s\"", i ? ", " : "", first + i * step);
    fprintf(f, "]");
}

/* What each_table writes to, and behind what. */
typedef struct table_file {
    FILE *f;
    const char *before;
} table_file;

static void table_line(FILE *f, const bench_table *t, size_t l) {
    fprintf(f, "%s{", l ? ", " : "");
    text(f, "name", t->line[l]);
    fprintf(f, ", \"values\": [");
    for (size_t c = 0; c < t->columns; c++)
        if (isnan(t->value[l][c]))
            fprintf(f, "%snull", c ? ", " : "");
        else
            fprintf(f, "%s%.6g", c ? ", " : "", t->value[l][c]);
    fprintf(f, "], ");
    texts(f, "notes", t->note[l][0], sizeof t->note[l][0], t->columns);
    fprintf(f, "}");
}

static void each_table(const bench_table *t, void *to) {
    table_file *file = to;
    FILE *f = file->f;
    if (!study_has_values(t)) return;
    fprintf(f, "%s\n    {", file->before);
    file->before = ",";
    text(f, "title", t->title);
    fprintf(f, ", ");
    text(f, "unit", t->unit);
    fprintf(f, ", ");
    text(f, "over", t->over);
    fprintf(f, ", \"drawn\": %s, ", t->drawn ? "true" : "false");
    texts(f, "columns", t->column[0], sizeof t->column[0], t->columns);
    fprintf(f, ", \"lines\": [");
    for (size_t l = 0; l < t->lines; l++) table_line(f, t, l);
    fprintf(f, "]}");
}

static void whole(FILE *f, const bench_report *report, bool finished) {
    const char *before = "";
    fprintf(f, "{\n  ");
    text(f, "date", report->machine.date);
    fprintf(f, ", \"finished\": %s,\n", finished ? "true" : "false");
    machine(f, report);
    library(f, report);
    options(f, report->run->options);
    peers(f, report);
    copy(f, report);
    fprintf(f, "  \"rows\": [");
    for (size_t i = 0; i < report->count; i++) {
        if (!report->results[i].row) continue;
        fprintf(f, "%s", before);
        before = ",";
        row(f, report, &report->results[i]);
    }
    fprintf(f, "\n  ],\n  \"tables\": [");
    table_file tables = {f, ""};
    if (finished) report_tables(report, each_table, &tables);
    fprintf(f, "\n  ]\n}\n");
}

bool json_write(const bench_report *report, const char *path, bool finished) {
    char part[PATH_MAX];
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part) return false;
    FILE *f = fopen(part, "w");
    if (!f) return false;
    whole(f, report, finished);
    const bool written = !ferror(f);
    if (fclose(f) == 0 && written && rename(part, path) == 0) return true;
    unlink(part);
    return false;
}
