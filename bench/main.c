/* warpwise-bench: measures each family of primitives beside the machine's copy rate and beside peers. `warpwise bench` is
 * this program. */
#include <argp.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "families/families.h"
#include "measuring/origin.h"
#include "measuring/pages.h"
#include "measuring/resume.h"
#include "measuring/timing.h"
#include "peers/cub.h"
#include "peers/gpu_tables.h"
#include "standard.h"
#include "studies/group_study.h"
#include "studies/text_data.h"

typedef struct arguments {
    bench_options options;
    bool wanted[FAMILIES], some;
} arguments;

enum {
    KEY_PEERS = 256,
    KEY_JSON,
    KEY_PLOT,
    KEY_THREADS,
    KEY_SIZE,
    KEY_REPEAT,
    KEY_VECTOR,
    KEY_LIST,
    KEY_DATE,
    KEY_DEVICE,
    KEY_RESUME,
    KEY_ROWS,
    KEY_CLOCK,
    KEY_TEXTS /* BENCH_TEXTS of them */
};

static const struct argp_option options[] = {
    {"peers", KEY_PEERS, NULL, 0,
     "also measure TBB, Highway, NumPy, StringZilla, Hyperscan, libc and hash tables, as far as they are installed", 0},
    {"json", KEY_JSON, "FILE", 0,
     "write all results as JSON, anew after every row, so that an interrupted run leaves what it has measured", 0},
    {"resume", KEY_RESUME, NULL, 0,
     "continue the run in the file of --json: its rows are not measured again. It must be of this machine, commit, "
     "device and options; if there is no such file, begin",
     0},
    {"clock", KEY_CLOCK, "CLOCK", 0,
     "clock for samples: wall, or processor, the time of all processors divided by the threads (for a CPU on which "
     "other programs run)",
     0},
    {"rows", KEY_ROWS, "TEXT", 0, "only rows whose name contains TEXT", 0},
    {"english", KEY_TEXTS, "FILE", 0,
     "family text: the English text, repeated (default: one made of words drawn by their frequency)", 0},
    {"dna", KEY_TEXTS + 1, "FILE", 0, "family text: the text of bases (default: random ACGT)", 0},
    {"protein", KEY_TEXTS + 2, "FILE", 0, "family text: a text of amino acids, for its tables", 0},
    {"plot", KEY_PLOT, "FILE.svg", 0,
     "plot the rates as fractions of the copy rate, and the figures of studies (needs python3 and gnuplot)", 0},
    {"threads", KEY_THREADS, "N", 0, "threads of Warpwise, the copies and the peers on a CPU (default 2)", 0},
    {"size", KEY_SIZE, "N", 0,
     "number of items; up to 40 it is an exponent of two (default: 25 on a CPU, 27 on a GPU or 25 if memory is short, "
     "14 on emu)",
     0},
    {"repeat", KEY_REPEAT, "N", 0,
     "samples of each contestant (default: 5 to 25, as many as fit into three seconds a "
     "row)",
     0},
    {"vector", KEY_VECTOR, "WIDTH", 0, "force plain, avx2 or avx512 loops", 0},
    {"list", KEY_LIST, NULL, 0, "list families and rows, and measure nothing", 0},
    {"date", KEY_DATE, "TEXT", 0, "the date to write into the results (default: today)", 0},
    {"device", KEY_DEVICE, "NAME", 0,
     "the device to measure: cpu, cuda, cuda:K, emu (default: WARPWISE_DEVICE, else the CPU). On cuda, data and "
     "results are in the GPU's memory, and rates are compared with a copy there; emu runs the same kernels slowly, to "
     "try them. Peers and targets are for the CPU. Family group takes several devices: cuda:0-3, or cpu,cuda, one for each rank",
     0},
    {0},
};

static unsigned long number(const char *text, unsigned long least, unsigned long most, struct argp_state *state) {
    char *end;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most)
        argp_error(state, "'%s' is not a number from %lu to %lu", text, least, most);
    return value;
}

static void want_family(const char *name, arguments *a, struct argp_state *state) {
    for (size_t f = 0; f < FAMILIES; f++)
        if (!strcmp(families[f]->name, name)) {
            a->wanted[f] = a->some = true;
            return;
        }
    argp_error(state, "there is no family '%s'; --list shows them", name);
}

/* One, or those of a group's ranks. */
static void take_device(arguments *a, const char *value, struct argp_state *state) {
    device_list *list = &a->options.devices;
    const char *wrong = device_list_read(list, value);
    if (wrong) argp_error(state, "--device=%s: %s", value, wrong);
    a->options.device = list->count ? list->names[0] : value;
}

/* Only groups are of several devices. */
static bool is_group_alone(const arguments *a) {
    for (size_t f = 0; f < FAMILIES; f++)
        if (a->wanted[f] != (families[f] == &family_group)) return false;
    return true;
}

static error_t parse(int key, char *value, struct argp_state *state) {
    arguments *a = state->input;
    switch (key) {
    case KEY_PEERS:
        a->options.peers = true;
        break;
    case KEY_JSON:
        a->options.json = value;
        break;
    case KEY_RESUME:
        a->options.resume = true;
        break;
    case KEY_CLOCK:
        if (strcmp(value, "wall") && strcmp(value, "processor"))
            argp_error(state, "'%s' is neither wall nor processor", value);
        a->options.processors = !strcmp(value, "processor");
        break;
    case KEY_ROWS:
        a->options.rows = value;
        break;
    case KEY_TEXTS:
    case KEY_TEXTS + 1:
    case KEY_TEXTS + 2:
        a->options.texts[key - KEY_TEXTS] = value;
        break;
    case KEY_PLOT:
        a->options.plot = value;
        break;
    case KEY_THREADS:
        a->options.threads = (unsigned)number(value, 1, 256, state);
        break;
    case KEY_SIZE:
        a->options.size = number(value, 1, 1ul << 40, state);
        if (a->options.size <= 40) a->options.size = (size_t)1 << a->options.size;
        break;
    case KEY_REPEAT:
        a->options.repeat = (unsigned)number(value, 1, 256, state);
        break;
    case KEY_VECTOR:
        if (strcmp(value, "plain") && strcmp(value, "avx2") && strcmp(value, "avx512"))
            argp_error(state, "'%s' is not one of plain, avx2, avx512", value);
        setenv("WARPWISE_VECTOR", value, 1);
        break;
    case KEY_LIST:
        a->options.list = true;
        break;
    case KEY_DATE:
        a->options.date = value;
        break;
    case KEY_DEVICE:
        take_device(a, value, state);
        break;
    case ARGP_KEY_ARG:
        want_family(value, a, state);
        break;
    case ARGP_KEY_END:
        if (a->options.devices.count > 1 && !is_group_alone(a))
            argp_error(state, "several devices are those of family group, and of no other");
        if (a->options.resume && !a->options.json) argp_error(state, "--resume wants the run's --json=FILE");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Studies are long: they want their family's name. */
static bool wanted(const arguments *a, size_t family, const bench_row *row) {
    return row->point || row->named ? a->wanted[family] : !a->some || a->wanted[family];
}

static void list(const arguments *a) {
    const bench_run run = {.options = &a->options, .cpu = true, .most = SIZE_MAX, .memory = SIZE_MAX};
    const bench_row *row;
    for (size_t f = 0; f < FAMILIES; f++) {
        size_t studies = 0, listed = 0;
        for (size_t i = 0; (row = family_row(families[f], i)); i++) {
            if (!row_here(&run, row)) continue;
            if (!wanted(a, f, row)) {
                studies += (row->point || row->named) && !a->some;
                continue;
            }
            if (!listed++) printf("%s\n", families[f]->name);
            printf("    %-44s %s\n", row->name, row->call);
        }
        if (studies) printf("and %zu rows more, or for tables, where '%s' is named\n", studies, families[f]->name);
    }
}

static bool open_device(bench_run *run) {
    ww_open_options o = WW_OPEN_OPTIONS;
    o.threads = run->options->threads;
    ww_device_info info = WW_DEVICE_INFO;
    if (!ww_open_with(run->options->device, &run->device, &o) && !ww_device_info_get(run->device, &info)) {
        run->backend = info.backend;
        run->cpu = !strcmp(info.backend, "cpu");
        o.threads = 1;
        if (!run->cpu || run->options->threads == 1 || !ww_open_with(run->options->device, &run->one, &o)) return true;
    }
    ww_device *const failed = run->one ? run->one : run->device;
    fprintf(stderr, "warpwise bench: %s\n", failed ? ww_error(failed) : "out of memory");
    ww_close(run->one);
    ww_close(run->device);
    return false;
}

/* Rows take up to 24 bytes an item of the host's memory, and of the GPU's, with scratch memory, somewhat more. */
static size_t default_size(const bench_run *run) {
    enum { BYTES_AN_ITEM = 48 };
    const size_t few = (size_t)1 << 25, many = (size_t)1 << 27;
    const uint64_t host = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    ww_device_info info = WW_DEVICE_INFO;
    if (run->cpu) return few;
    if (!strcmp(run->backend, "emu")) return (size_t)1 << 14;
    const bool room = !ww_device_info_get(run->device, &info) && info.memory / many >= BYTES_AN_ITEM;
    return room && host / many >= BYTES_AN_ITEM ? many : few;
}

/* What a study's row may take: with scratch memory on the device, without it on the host. */
static void set_limits(bench_run *run, bool sized) {
    const double part = 0.7;
    const bool emulated = !strcmp(run->backend, "emu");
    ww_device_info info = WW_DEVICE_INFO;
    run->memory = (size_t)((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) * part);
    if (!run->cpu && !emulated && !ww_device_info_get(run->device, &info) &&
        (double)info.memory * part < (double)run->memory)
        run->memory = (size_t)((double)info.memory * part);
    run->most = sized || emulated ? run->options->size : SIZE_MAX;
}

static const char *why_no_peers(const bench_run *run) {
    if (!run->cpu) return "runs on the CPU, so it is not measured beside another device";
    return run->options->peers ? NULL : "not asked for";
}

/* The GPU's arrays are of as many numbers as rows have, up to the CPU's size. A run of small arrays is a trial, which need not
 * wait for the copies of large ones. */
static void begin_copying(const bench_run *run, copy_rate *copy) {
    const size_t most = (size_t)1 << 30, trial = (size_t)1 << 26, size = run->options->size;
    if (run->cpu)
        copy_begin(copy, run->options->threads, size < (size_t)1 << 20 ? trial : most);
    else
        copy_begin_on(copy, run->device, size < most / 4 ? size * 4 : most);
}

/* Where the program stands, and the peers' modules beside it. */
static const char *own_directory(void) {
    static char path[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) return ".";
    path[n] = 0;
    return dirname(path);
}

static void progress(const char *name) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K%s", name);
}

static void json_or_die(const bench_report *report, const char *path, bool finished) {
    if (json_write(report, path, finished)) return;
    fprintf(stderr, "warpwise bench: cannot write %s: %s\n", path, strerror(errno));
    exit(1);
}

/* Fills the family's slots that are empty. Returns whether there were any. */
static bool measure_family(const arguments *a, size_t f, bench_report *report) {
    const size_t slot = family_slot(f);
    const bench_row *row;
    bool some = false;
    for (size_t i = 0; (row = family_row(families[f], i)); i++) {
        bench_result *result = &report->results[slot + i];
        if (!wanted(a, f, row) || !row_here(report->run, row) || result->row) continue;
        progress(row->name);
        measure_row(report->run, families[f], row, result);
        if (a->options.json) json_or_die(report, a->options.json, false);
        some = true;
    }
    return some;
}

static void measure_families(const arguments *a, const json *earlier, bench_report *report) {
    enum { SAMPLES_FIRST = 10, SAMPLES_BETWEEN = 3 };
    report->count = family_slot(FAMILIES);
    report->results = calloc(report->count, sizeof *report->results);
    if (!report->results) exit(1);
    progress("copy");
    begin_copying(report->run, &report->copy);
    const size_t had = resume_fill(report, earlier);
    copy_measure(&report->copy, SAMPLES_FIRST);
    report->huge_share = pages_huge_share();
    for (size_t f = 0; f < FAMILIES; f++)
        if (measure_family(a, f, report)) copy_measure(&report->copy, SAMPLES_BETWEEN);
    progress("");
    if (earlier)
        printf("%zu rows are from the run that %s has of %s.\n", had, a->options.json, json_text(earlier, "date"));
}

/* plot.py says itself why it did not draw. */
static bool draw(const char *json, const char *plot) {
    char script[PATH_MAX + 20];
    snprintf(script, sizeof script, "%s/bench/plot.py", bench_source);
    char *const command[] = {"python3", script, (char *)json, (char *)plot, NULL};
    extern char **environ;
    pid_t process;
    int status;
    const int failed = posix_spawnp(&process, command[0], NULL, NULL, command, environ);
    if (failed) fprintf(stderr, "warpwise bench: %s was not drawn: python3: %s\n", plot, strerror(failed));
    return !failed && waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Writes the JSON and the plot; the plot alone goes by way of a temporary file. */
static bool write_files(const bench_report *report, const bench_options *o) {
    const char *const folder = secure_getenv("TMPDIR");
    char temporary[PATH_MAX];
    const char *json = o->json;
    if (!json && !o->plot) return true;
    if (!json) {
        snprintf(temporary, sizeof temporary, "%s/warpwise-bench-XXXXXX", folder && *folder ? folder : "/tmp");
        const int file = mkstemp(temporary);
        if (file < 0) return false;
        close(file);
        json = temporary;
    }
    bool done = json_write(report, json, true);
    if (!done)
        fprintf(stderr, "warpwise bench: cannot write %s: %s\n", json, strerror(errno));
    else if (o->plot)
        done = draw(json, o->plot);
    if (json == temporary) unlink(temporary);
    return done;
}

/* Or cannot be done on the device, which is said. */
static bool all_verified(const bench_report *report) {
    for (size_t i = 0; i < report->count; i++) {
        const bench_result *r = &report->results[i];
        const size_t ours = r->row ? 1 + r->row->rival_count : 0;
        for (size_t k = 0; k < ours; k++)
            if (!r->entry[k].ok && !r->entry[k].unsupported) return false;
    }
    return true;
}

/* --help and wrong usage call it by the command's name. The process's own argv[0] stays: by it the loader tells the library
 * what folder it lies in, where the emulator and the kernel pack are. */
static void parse_as(const struct argp *description, int argc, char **argv, arguments *a) {
    char **named = calloc((size_t)argc + 1, sizeof *named);
    if (!named) exit(1);
    for (int i = 1; i < argc; i++) named[i] = argv[i];
    argp_err_exit_status = 2;
    named[0] = "warpwise bench";
    argp_parse(description, argc, named, 0, NULL, a);
    free(named);
}

int main(int argc, char **argv) {
    static const struct argp description = {
        options,
        parse,
        "[FAMILY...]",
        "Measures each primitive beside the device's copy rate, and with --peers beside other libraries: same data, "
        "same run, in turn."
        "\v"
        "Exit status: 1 if a result was wrong, a call failed or a file could not be written; a target that is not met "
        "is only reported.",
        NULL,
        NULL,
        NULL};
    if (!standard_begin("warpwise bench", 1)) return 1;
    arguments a = {.options = {.threads = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1}};
    parse_as(&description, argc, argv, &a);
    const device_list *devices = &a.options.devices;
    if (devices->count > 1)
        group_study_use(devices->names, devices->count, a.options.threads);
    else
        group_study_use(&a.options.device, a.options.device != NULL, a.options.threads);
    if (a.options.list) {
        list(&a);
        return 0;
    }
    bench_run run = {.options = &a.options};
    for (int t = 0; t < BENCH_TEXTS; t++)
        if (a.options.texts[t] && !text_use((text_kind)t, a.options.texts[t])) return 1;
    if (!open_device(&run)) return 1;
    if (a.options.processors && !run.cpu) {
        fprintf(stderr, "warpwise bench: --clock=processor is a CPU's\n");
        return 1;
    }
    if (a.options.processors) processor_clock();
    const bool sized = a.options.size > 0;
    if (!sized) a.options.size = default_size(&run);
    set_limits(&run, sized);
    cub_find_in(own_directory());
    gpu_tables_find_in(own_directory());
    peers_open(run.peers, own_directory(), a.options.threads, why_no_peers(&run));
    bench_report report = {.run = &run};
    machine_describe(&report.machine, a.options.date);
    json *earlier = NULL;
    if (a.options.resume && !resume_read(&report, a.options.json, &earlier)) return 1;
    measure_families(&a, earlier, &report);
    json_free(earlier);
    table_head(&report);
    table_rows(&report);
    const bool done = write_files(&report, &a.options) && all_verified(&report);
    copy_end(&report.copy);
    free(report.results);
    peers_close();
    cub_close();
    ww_close(run.one);
    ww_close(run.device);
    return done ? 0 : 1;
}
