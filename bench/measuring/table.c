/* The table for people: a line a row, a line below it for each that stands beside it. */
#include <string.h>

#include "families/families.h"
#include "measuring/report.h"
#include "peers/cub.h"
#include "peers/gpu_tables.h"

static const char *verdict_word(verdict v) {
    switch (v) {
    case MET:
        return "met";
    case NOT_MET:
        return "NOT MET";
    case NOT_KNOWN:
        return "no peer";
    case NO_TARGET:
        break;
    }
    return "";
}

static void copy_lines(const bench_report *report) {
    const copy_rate *c = &report->copy;
    char where[64];
    if (c->device)
        snprintf(where, sizeof where, "in the device's memory");
    else
        snprintf(where, sizeof where, "%u threads", c->threads);
    const bool large = c->bytes >= 1 << 20;
    printf("  copy      %.1f GB/s with %s, %s, two arrays of %zu %s, read and written bytes counted\n", c->gbps,
           c->names[c->best], where, large ? c->bytes >> 20 : c->bytes, large ? "MiB" : "bytes");
    for (int k = 0; k < COPY_METHODS; k++)
        printf("            %-16s %5.1f GB/s (%.1f to %.1f in %u samples)\n", c->names[k],
               2.0 * (double)c->bytes / c->spread[k].median / 1e9, 2.0 * (double)c->bytes / c->spread[k].max / 1e9,
               2.0 * (double)c->bytes / c->spread[k].min / 1e9, c->spread[k].count);
}

void table_head(const bench_report *report) {
    const bench_machine *m = &report->machine;
    ww_device_info info = WW_DEVICE_INFO;
    printf("Warpwise %s (commit %s), %s\n", ww_version(), m->commit, m->date);
    printf("  machine   %s, %ld cores, %lu GiB, %s\n", m->cpu, m->cores, m->memory_gib, m->kernel);
    printf("  compiler  %s\n", m->compiler);
    if (!ww_device_info_get(report->run->device, &info)) printf("  device    %s: %s\n", info.backend, info.description);
    for (size_t p = 0; p < PEERS; p++) printf("  %-9s %s\n", report->run->peers[p].name, report->run->peers[p].about);
    if (cub_about()) printf("  CUB       %s\n", cub_about());
    for (int t = 0; t < GPU_TABLES_MODULES; t++)
        if (gpu_tables_about((gpu_tables_of)t)) printf("  tables    %s\n", gpu_tables_about((gpu_tables_of)t));
    copy_lines(report);
    if (report->run->cpu && report->huge_share >= 0)
        printf("  pages     %.0f%% of the memory on 2 MiB pages\n", 100 * report->huge_share);
    printf(
        "Medians of samples taken in turn; every result verified. M/s: million items a second. of copy: of the rate at\n"
        "which items of that size are copied. ratio: Warpwise's rate over the one in that line, on one thread over those that run on one.\n");
    if (report->run->options->processors)
        printf("Seconds are those that processors spent for a sample, divided by its threads.\n");
    const bool emulated = !strcmp(report->run->backend, "emu");
    if (!report->run->cpu && !emulated)
        printf(
            "Data and results lie in the device's memory. A sample is calls queued for 5 ms (64 at most) and one ww_sync.\n");
    if (emulated) printf("The emulator is for tests: a sample is one call, and rates say nothing about any GPU.\n");
}

static void table_line(const bench_report *report, const bench_result *r, size_t k) {
    const bench_entry *e = &r->entry[k];
    char name[128];
    if (k == 0)
        snprintf(name, sizeof name, "%.70s", r->name);
    else
        snprintf(name, sizeof name, "    %s %.60s", e->who, e->call);
    if (!e->ok) {
        printf("%-66s %s\n", name, e->why);
        return;
    }
    const double spread = e->seconds.median > 0 ? 100 * (e->seconds.max - e->seconds.min) / e->seconds.median : 0;
    printf("%-66s ", name);
    if (r->calls > 1) /* small calls: what one takes */
        printf("%7.2f us %6s %6s %4.0f%%", e->seconds.median / r->calls * 1e6, "", "", spread);
    else
        printf("%10.*f %6.1f %6.3f %4.0f%%", items_rate(r, k) < 10 ? 3 : 1, items_rate(r, k),
               items_rate(r, k) * r->row->bytes / 1e3, copy_fraction(report, r, k), spread);
    if (k == 0 && report->run->cpu) {
        char target[64];
        target_text(report, r, target, sizeof target);
        printf(" %7s  %-22s %s", "", target, verdict_word(target_verdict(report, r)));
    } else if (k && r->entry[0].ok)
        printf(" %6.2fx", rate_ratio(r, k));
    printf("\n");
}

/* Of a study's row only what went wrong: it stands in tables. */
static void table_failures(const bench_report *report, const bench_result *r) {
    for (size_t k = 0; k < r->entries; k++) {
        if (r->entry[k].ok || r->entry[k].unsupported) continue;
        printf("%s\n", r->name);
        table_line(report, r, k);
    }
}

void report_tables(const bench_report *report, bench_each_table *each, void *to) {
    for (size_t f = 0; f < FAMILIES; f++)
        if (families[f]->tables) families[f]->tables(report, each, to);
}

/* ---- tables that have no values ---- */

/* Tables whose n --size leaves none of, by name; how many others there are. */
typedef struct left_out {
    const bench_report *report;
    size_t others;
} left_out;

static void each_left_out(const bench_table *t, void *to) {
    left_out *l = to;
    if (study_has_values(t)) return;
    if (t->columns)
        l->others++;
    else
        printf("Left out: %s (all its n are above --size=%zu).\n", t->title, l->report->run->most);
}

static bool family_has_studies(const bench_report *report, const bench_family *family) {
    for (size_t i = 0; i < report->count; i++) {
        const bench_result *r = &report->results[i];
        if (r->row && r->row->point && r->family == family) return true;
    }
    return false;
}

/* Of families whose studies were asked for. */
static void table_left_out(const bench_report *report) {
    left_out l = {.report = report};
    const char *const rows = report->run->options->rows;
    printf("\n");
    for (size_t f = 0; f < FAMILIES; f++)
        if (families[f]->tables && family_has_studies(report, families[f]))
            families[f]->tables(report, each_left_out, &l);
    if (!l.others) return;
    printf("Left out: %zu %stable%s, as ", l.others, rows ? "other " : "", l.others > 1 ? "s" : "");
    if (rows)
        printf("--rows='%s' names none of their rows, or none could be measured.\n", rows);
    else
        printf("none of their rows could be measured: for want of memory, or the device cannot do them.\n");
}

void table_rows(const bench_report *report) {
    const bench_family *family = NULL;
    unsigned count[NOT_KNOWN + 1] = {0};
    for (size_t i = 0; i < report->count; i++) {
        const bench_result *r = &report->results[i];
        if (!r->row) continue;
        if (r->row->point) {
            table_failures(report, r);
            continue;
        }
        if (r->family != family) {
            family = r->family;
            printf("\n%-66s %10s %6s %6s %5s %7s%s\n", family->title, r->calls > 1 ? "a call" : "M/s",
                   r->calls > 1 ? "" : "GB/s", r->calls > 1 ? "" : "copy", "+-", "ratio",
                   report->run->cpu ? "  target" : "");
        }
        for (size_t k = 0; k < r->entries; k++) table_line(report, r, k);
        count[target_verdict(report, r)]++;
    }
    report_tables(report, study_print, NULL);
    table_left_out(report);
    if (!report->run->cpu) {
        printf("Targets are the CPU's; none was held against this run.\n");
        return;
    }
    printf("%u targets met, %u not met, %u not known (their peer is not here).\n", count[MET], count[NOT_MET],
           count[NOT_KNOWN]);
}
