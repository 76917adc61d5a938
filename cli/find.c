/* warpwise find: where patterns stand in files. On a CPU each thread has a handle of its own, with one thread, and searches
 * 1 MiB at a time while it is in its cache: so reading and searching go on together. On a GPU, or by a method that is named,
 * one handle searches what was read before. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "find_search.h"
#include "option.h"

enum {
    PATTERN_FILE = 1,
    METHOD,
    PIECE_CACHED = 1 << 20, /* bytes */
    PIECE_SHARED = 16 << 20,
    PIECE_PATTERNS = 8 /* a piece is at least so many times the longest pattern */
};

typedef struct request {
    job job;
    const char *pattern_file, *list;
    bool count_only;
    ww_find_options options;
    char **arguments; /* PATTERN, where it is one, and files */
    size_t argument_count;
    patterns patterns;
} request;

static char *standard_input[] = {"-"};

/* ---- arguments ---- */

static ww_find_method method_named(const char *name, struct argp_state *state) {
    static const char *const names[] = {[WW_FIND_AUTO] = "auto",
                                        [WW_FIND_SERIAL] = "serial",
                                        [WW_FIND_COOPERATIVE] = "cooperative",
                                        [WW_FIND_RECURRENCE] = "recurrence",
                                        [WW_FIND_DIVIDE] = "divide",
                                        [WW_FIND_DIVIDE32] = "divide32",
                                        [WW_FIND_DIVIDE64] = "divide64",
                                        [WW_FIND_HYBRID] = "hybrid",
                                        [WW_FIND_TWOSTAGE] = "twostage"};
    return (ww_find_method)parse_method(state, name, names, sizeof names / sizeof names[0]);
}

static bool is_standard(const char *path) { return path && strcmp(path, "-") == 0; }

static bool pattern_is_argument(const request *r) { return !r->pattern_file && !r->list; }

static void files_of(const request *r, char *const **files, size_t *count) {
    const size_t first = pattern_is_argument(r);
    *count = r->argument_count - first;
    *files = r->arguments + first;
    if (*count) return;
    *files = standard_input;
    *count = 1;
}

static void check_together(const request *r, struct argp_state *state) {
    char *const *files;
    size_t count;
    if (r->pattern_file && r->list) argp_error(state, "--pattern-file=F and -f LIST exclude each other");
    if (pattern_is_argument(r) && !r->argument_count)
        argp_error(state, "PATTERN, --pattern-file=F or -f LIST is missing");
    if (r->list && r->options.method != WW_FIND_AUTO)
        argp_error(state, "--method=M is of one pattern, and many (-f LIST) are found by auto");
    files_of(r, &files, &count);
    for (size_t i = 0; i < count; i++) {
        if (!is_standard(files[i]) || !(is_standard(r->pattern_file) || is_standard(r->list))) continue;
        argp_error(state, "the patterns and the text cannot both be standard input");
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->job;
        return 0;
    case 'c':
        r->count_only = true;
        return 0;
    case 'i':
        r->options.fold = true;
        return 0;
    case 'f':
        r->list = argument;
        return 0;
    case PATTERN_FILE:
        r->pattern_file = argument;
        return 0;
    case METHOD:
        r->options.method = method_named(argument, state);
        return 0;
    case ARGP_KEY_ARG:
        r->arguments[r->argument_count++] = argument;
        return 0;
    case ARGP_KEY_END:
        check_together(r, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int read_patterns(request *r) {
    if (r->list) return patterns_of_list(r->job.command, r->list, &r->patterns);
    if (r->pattern_file) return patterns_of_file(r->job.command, r->pattern_file, &r->patterns);
    return patterns_of_text(r->job.command, r->arguments[0], &r->patterns);
}

/* ---- threads ---- */

static void *search_beside(void *argument) {
    searcher *s = argument;
    search *shared = s->shared;
    if (job_check(&s->job, ww_open("cpu:threads=1", &s->job.device)) || searcher_open(s, shared))
        output_break(&shared->output);
    else
        searcher_run(s);
    return NULL;
}

/* This thread and `others` more; where a thread cannot be started, fewer. They are closed when all have ended: what they
 * have handed in may be printed by another. */
static void search_all(searcher *s, size_t others) {
    size_t started = 0;
    while (started < others) {
        searcher *const o = &s[1 + started];
        o->shared = s->shared;
        o->job.command = s->job.command;
        if (pthread_create(&o->thread, NULL, search_beside, o)) break;
        started++;
    }
    searcher_run(s);
    for (size_t i = 1; i <= started; i++) pthread_join(s[i].thread, NULL);
    for (size_t i = 1; i <= started; i++) {
        searcher_close(&s[i]);
        ww_close(s[i].job.device);
    }
}

/* Opens this thread's searcher, on a handle of one thread where there will be others, and the texts. */
static int search_with(request *r, search *shared, searcher *s, size_t threads) {
    s->job = r->job;
    s->job.progress = NULL;
    if (threads > 1) {
        s->job.device = NULL;
        if (job_check(&s->job, ww_open("cpu:threads=1", &s->job.device))) return FAILED;
    }
    const int status = searcher_open(s, shared);
    r->job.began = seconds_now();
    if (!status) search_all(s, threads - 1);
    r->job.working = seconds_now() - r->job.began;
    searcher_close(s);
    if (threads > 1) ww_close(s->job.device);
    return status;
}

static uint64_t piece_for(const patterns *p, uint64_t least) {
    return p->longest * PIECE_PATTERNS > least ? p->longest * PIECE_PATTERNS : least;
}

static size_t longest_name(char *const *files, size_t count) {
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(name_of_file(files[i]));
        if (length > longest) longest = length;
    }
    return longest;
}

/* What is printed when all is searched, and the exit status. */
static int finish(request *r, output *o) {
    job *j = &r->job;
    progress_stop(o->progress);
    if (!o->broken && fflush(stdout)) return misuse(j->command, "standard output cannot be written");
    if (j->time && !o->broken) {
        fprintf(stderr, "%s: %" PRIu64 " bytes in %.6f s, %.2f GB/s, %" PRIu64 " matches\n", j->command, o->bytes,
                j->working, j->working > 0 ? (double)o->bytes / 1e9 / j->working : 0, o->matches);
    }
    return o->complained ? MISUSED : o->matches ? DONE : FAILED;
}

/* What all threads will share; the device says how many there are. */
static size_t prepare(request *r, search *shared, uint32_t threads) {
    pieces *const p = &shared->pieces;
    output *const o = &shared->output;
    files_of(r, &p->names, &p->count);
    const bool beside = !r->job.gpu && r->options.method == WW_FIND_AUTO;
    p->most = piece_for(&r->patterns, beside ? PIECE_CACHED : PIECE_SHARED);
    p->overlap = r->patterns.longest - 1;
    p->complain = output_complain;
    p->context = o;
    o->command = r->job.command;
    o->count_only = r->count_only;
    o->names = p->count > 1;
    shared->patterns = &r->patterns;
    shared->many = r->list != NULL;
    shared->options = r->options;
    shared->longest_name = longest_name(p->names, p->count);
    return beside && pieces_many(p) ? threads : 1;
}

static int find(request *r) {
    search shared = {0};
    ww_device_info info = WW_DEVICE_INFO;
    job *j = &r->job;
    int status = MISUSED;
    if (job_open(j) || job_check(j, ww_device_info_get(j->device, &info))) return MISUSED;
    const size_t threads = prepare(r, &shared, info.threads);
    searcher *const s = calloc(threads, sizeof *s);
    output_open(&shared.output);
    if (shared.output.live)
        progress_stop(j->progress); /* its line would stand among the results */
    else
        shared.output.progress = j->progress;
    j->progress = NULL;
    if (!pieces_open(&shared.pieces) || !s)
        job_fail(j, "out of memory");
    else if (!search_with(r, &shared, s, threads))
        status = finish(r, &shared.output);
    else
        progress_stop(shared.output.progress);
    pieces_close(&shared.pieces);
    output_close(&shared.output);
    free(s);
    return status;
}

int find_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"count", 'c', NULL, 0, "print how many there are in each file, not where; matches that overlap all count", 0},
        {"ignore-case", 'i', NULL, 0, "A to Z match as a to z do, in ASCII", 0},
        {"pattern-file", PATTERN_FILE, "F", 0, "the pattern is all bytes of this file", 0},
        {"list", 'f', "LIST", 0, "look for many patterns at once: the lines of this file", 0},
        {"method", METHOD, "M", 0,
         "auto, serial, cooperative, recurrence, divide, divide32, divide64, hybrid or twostage", 0},
        {0}};
    static const char about[] =
        "Prints where PATTERN begins in each FILE: byte offsets from 0, one a line, rising, with \"FILE:\" before them when "
        "there are several files. Matches may overlap."
        "\v"
        "Examples:\n"
        "  warpwise find whale moby-dick.txt\n"
        "  warpwise find -c --pattern-file=header.bin disk.img\n"
        "  warpwise find -f words.txt one.txt two.txt\n"
        "  tail -f log | warpwise find -i error\n\n"
        "PATTERN is bytes, not an expression, and files are bytes, not lines. With -f LIST a line is OFFSET<TAB>NUMBER, the "
        "number being the pattern's line in LIST, from 1; a newline that ends LIST is no pattern. Without FILE, and for \"-\", "
        "standard input is read; it may be endless. A file that cannot be read is reported, and the others are searched.\n"
        "\nExit status: 0 found, 1 not found, 2 wrong usage or a failure, also of one file among several (a sentence on "
        "standard error).";
    static const struct argp argp = {
        options, parse_option,    "PATTERN [FILE...]\n--pattern-file=F [FILE...]\n-f LIST [FILE...]",
        about,   device_children, NULL,
        NULL};
    static const ww_find_options defaults = WW_FIND_OPTIONS;
    request r = {.job = {.command = argv[0]}, .options = defaults};
    r.arguments = calloc((size_t)argc, sizeof *r.arguments);
    if (!r.arguments) return misuse(argv[0], "out of memory");
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    const int status = read_patterns(&r) ? MISUSED : find(&r);
    r.job.time = false; /* said already */
    job_close(&r.job, status);
    patterns_free(&r.patterns);
    free(r.arguments);
    return status;
}
