/* warpwise find: where patterns stand in files. On a CPU each thread has a handle of its own, with one thread, and searches
 * 1 MiB at a time while it is in its cache: so reading and searching go on together. On a GPU, or by a method that is named,
 * one handle searches what was read before. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "find_files.h"
#include "find_search.h"
#include "find_shown.h"
#include "option.h"

enum {
    PATTERN_FILE = 1,
    METHOD,
    INCLUDE,
    COLOUR,
    PIECE_CACHED = 1 << 20, /* bytes */
    PIECE_SHARED = 16 << 20,
    PIECE_PATTERNS = 8 /* a piece is at least so many times the longest pattern */
};

typedef enum colouring { COLOUR_NEVER, COLOUR_AUTO, COLOUR_ALWAYS } colouring;

typedef struct request {
    job job;
    const char *pattern_file, *list;
    const char **texts; /* of -e */
    size_t text_count;
    bool count_only, files_only, recursive, numbers, text, lines; /* lines: whole lines are shown, or counted */
    bool name_files;                                              /* before what is found in them */
    long before, after, context;                                  /* of -B, -A, -C; -1: not given */
    colouring colouring;
    ww_find_options options;
    char **arguments; /* PATTERN, where it is one, and files */
    size_t argument_count;
    find_files files;
    patterns patterns;
} request;

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

static bool are_many(const request *r) { return r->list || r->text_count > 1; }

static bool pattern_is_argument(const request *r) { return !r->pattern_file && !r->list && !r->text_count; }

static void files_of(const request *r, char *const **files, size_t *count) {
    static char here[] = "", standard[] = "-", *the_folder[] = {here}, *standard_input[] = {standard};
    const size_t first = pattern_is_argument(r);
    *count = r->argument_count - first;
    *files = r->arguments + first;
    if (*count) return;
    *files = r->recursive ? the_folder : standard_input;
    *count = 1;
}

static void check_together(request *r, struct argp_state *state) {
    char *const *files;
    size_t count;
    if (r->pattern_file && (r->list || r->text_count))
        argp_error(state, "--pattern-file=F and %s exclude each other", r->list ? "-f LIST" : "-e PATTERN");
    if (pattern_is_argument(r) && !r->argument_count)
        argp_error(state, "PATTERN, -e PATTERN, --pattern-file=F or -f LIST is missing");
    if (are_many(r) && r->options.method != WW_FIND_AUTO)
        argp_error(state, "--method=M is for one pattern; many (-e, -f LIST) are found by auto");
    if (r->files_only && r->count_only) argp_error(state, "-c and -l exclude each other");
    if (r->before < 0) r->before = r->context;
    if (r->after < 0) r->after = r->context;
    r->lines = (r->numbers || r->before >= 0 || r->after >= 0) && !r->files_only;
    if (r->lines && r->pattern_file) argp_error(state, "--pattern-file=F searches bytes, not lines (-n, -A, -B, -C)");
    files_of(r, &files, &count);
    for (size_t i = 0; i < count; i++) {
        if (!is_standard(files[i]) || !(is_standard(r->pattern_file) || is_standard(r->list))) continue;
        argp_error(state, "the patterns and the text cannot both be standard input");
    }
}

static long parse_lines(struct argp_state *state, const char *name, const char *text) {
    return (long)parse_whole(state, name, text, 0, INT32_MAX);
}

static colouring parse_colouring(struct argp_state *state, const char *text) {
    static const char *const names[] = {"never", "auto", "always"};
    for (colouring c = COLOUR_NEVER; c <= COLOUR_ALWAYS; c++)
        if (!text || strcmp(text, names[c]) == 0) return text ? c : COLOUR_AUTO;
    argp_error(state, "--color=%s: is not one of always, never, auto", text);
    return COLOUR_NEVER;
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
    case 'l':
        r->files_only = true;
        return 0;
    case 'r':
        r->recursive = true;
        return 0;
    case 'n':
        r->numbers = true;
        return 0;
    case 'a':
        r->text = true;
        return 0;
    case 'A':
        r->after = parse_lines(state, "after-context", argument);
        return 0;
    case 'B':
        r->before = parse_lines(state, "before-context", argument);
        return 0;
    case 'C':
        r->context = parse_lines(state, "context", argument);
        return 0;
    case 'e':
        r->texts[r->text_count++] = argument;
        return 0;
    case INCLUDE:
        r->files.globs[r->files.glob_count++] = argument;
        return 0;
    case COLOUR:
        r->colouring = parse_colouring(state, argument);
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

/* PATTERN is bytes, and lines where lines are looked for, as those of -e are. */
static int read_patterns(request *r) {
    const char *command = r->job.command;
    int status = DONE;
    if (r->pattern_file) return patterns_of_file(command, r->pattern_file, &r->patterns);
    if (pattern_is_argument(r) && !r->lines && !(r->files_only && !*r->arguments[0]))
        return patterns_of_text(command, r->arguments[0], &r->patterns);
    if (pattern_is_argument(r)) return patterns_add_text(command, r->arguments[0], &r->patterns);
    for (size_t i = 0; !status && i < r->text_count; i++)
        status = patterns_add_text(command, r->texts[i], &r->patterns);
    if (!status && r->list) status = patterns_add_list(command, r->list, &r->patterns);
    if (status || r->patterns.count || r->lines || r->files_only) return status;
    return misuse(command, "%s: has only empty lines, and an empty pattern has no position", r->list ? r->list : "-e");
}

static bool collect_files(request *r) {
    char *const *files;
    size_t count;
    files_of(r, &files, &count);
    r->name_files = count > 1;
    for (size_t i = 0; i < count; i++)
        if (!find_files_add(&r->files, r->job.command, files[i], r->recursive)) return false;
    r->name_files |= r->files.folders;
    return true;
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
    return o->complained || r->files.complained ? MISUSED : o->matches ? DONE : FAILED;
}

/* What all threads will share; the device says how many there are. */
static size_t prepare(request *r, search *shared, uint32_t threads) {
    pieces *const p = &shared->pieces;
    output *const o = &shared->output;
    p->names = r->files.names;
    p->count = r->files.count;
    const bool beside = !r->job.gpu && r->options.method == WW_FIND_AUTO;
    p->most = piece_for(&r->patterns, beside ? PIECE_CACHED : PIECE_SHARED);
    p->overlap = r->patterns.longest ? r->patterns.longest - 1 : 0;
    p->complain = output_complain;
    p->context = o;
    o->command = r->job.command;
    o->count_only = r->count_only || r->files_only;
    o->files_only = r->files_only;
    o->names = r->name_files;
    shared->patterns = &r->patterns;
    shared->many = r->list || r->patterns.count > 1;
    shared->options = r->options;
    shared->longest_name = longest_name(p->names, p->count);
    return beside && pieces_many(p) ? threads : 1;
}

/* ---- lines ---- */

static bool is_coloured(const request *r) {
    const char *terminal = secure_getenv("TERM");
    if (r->colouring != COLOUR_AUTO) return r->colouring == COLOUR_ALWAYS;
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

static int find_lines(request *r) {
    job *j = &r->job;
    shown s = {.job = j,
               .patterns = &r->patterns,
               .options = r->options,
               .names = r->files.names,
               .count = r->files.count,
               .numbers = r->numbers,
               .name_files = r->name_files,
               .colour = is_coloured(r),
               .count_only = r->count_only,
               .text = r->text,
               .before = r->before,
               .after = r->after};
    if (job_open(j)) return MISUSED;
    if (isatty(STDOUT_FILENO)) job_quiet(j); /* its line would stand among the results */
    progress_phase(j->progress, "searching");
    const double began = seconds_now();
    if (show_lines(&s)) return MISUSED;
    j->working = seconds_now() - began;
    job_quiet(j);
    if (job_printed(j)) return MISUSED;
    if (j->time) {
        fprintf(stderr, "%s: %" PRIu64 " bytes in %.6f s, %.2f GB/s, %" PRIu64 " lines\n", j->command, s.bytes,
                j->working, j->working > 0 ? (double)s.bytes / 1e9 / j->working : 0, s.lines);
    }
    return s.complained || r->files.complained ? MISUSED : s.lines ? DONE : FAILED;
}

/* ---- */

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
        {"count", 'c', NULL, 0,
         "print only the number of matches in each file, overlapping ones included; with -n, -A, -B or -C the number "
         "of lines",
         0},
        {"files-with-matches", 'l', NULL, 0, "print the names of files with a match", 0},
        {"recursive", 'r', NULL, 0,
         "search folders, in the order of names; links, pipes and devices in them are skipped", 0},
        {"include", INCLUDE, "GLOB", 0,
         "search only files whose name, without its folder, matches, such as \"*.c\"; may be repeated", 0},
        {"pattern", 'e', "PATTERN", 0,
         "look for this pattern, and those of other -e and -f; a newline separates "
         "patterns",
         0},
        {"line-number", 'n', NULL, 0, "print whole lines with a match, each with its number from 1, instead of offsets",
         2},
        {"after-context", 'A', "N", 0, "print whole lines with a match, and N lines after each", 2},
        {"before-context", 'B', "N", 0, "the same, and N lines before each", 2},
        {"context", 'C', "N", 0, "the same, and N lines on both sides; 0: the lines alone", 2},
        {"text", 'a', NULL, 0, "print lines of binary files (those with zero bytes), too", 2},
        {"color", COLOUR, "WHEN", OPTION_ARG_OPTIONAL,
         "colours in lines: always, never, or auto (on a terminal); default: auto", 2},
        {"ignore-case", 'i', NULL, 0, "ignore case: A to Z match as a to z do (ASCII)", 0},
        {"pattern-file", PATTERN_FILE, "F", 0, "the pattern consists of all bytes of this file", 0},
        {"list", 'f', "LIST", 0, "look for many patterns at once: the lines of this file, which may end in CRLF", 0},
        {"method", METHOD, "M", 0,
         "auto, serial, cooperative, recurrence, divide, divide32, divide64, hybrid or twostage", 0},
        {0}};
    static const char about[] =
        "Prints where PATTERN begins in each FILE: byte offsets from 0, one a line, ascending, each preceded by "
        "\"FILE:\" if there are several files. Matches may overlap."
        "\v"
        "Examples:\n"
        "  warpwise find whale moby-dick.txt\n"
        "  warpwise find -c --pattern-file=header.bin disk.img\n"
        "  warpwise find -f words.txt one.txt two.txt\n"
        "  tail -f log | warpwise find -i error\n"
        "  warpwise find -rn --include='*.c' malloc src\n"
        "  warpwise find -l -e left -e right *.txt\n\n"
        "PATTERN is a string of bytes, not a regular expression, and files are bytes, not lines. With -f LIST, or more "
        "than one -e, a line is OFFSET<TAB>NUMBER, where NUMBER counts the patterns from 1: those of -e, then the "
        "lines of LIST; the newline at the end of LIST is not a pattern. Without FILE, or for \"-\", standard input is "
        "searched, and with -r the current folder; standard input may be endless. A file that cannot be read is "
        "reported, and the others are searched.\n\n"
        "With -n, -A, -B or -C whole lines are printed as by grep -F. For a file with a zero byte one line says "
        "\"FILE: binary file matches\" instead, unless -a is given. An empty line of LIST, or an empty -e, then "
        "matches every line, and for -l every file that is not empty; where offsets are printed it is skipped.\n\n"
        "Exit status: 0 found, 1 not found, 2 wrong usage or a failure, even with one file among several (a sentence "
        "on standard error).";
    static const struct argp argp = {
        options,
        parse_option,
        "PATTERN [FILE...]\n-e PATTERN [FILE...]\n--pattern-file=F [FILE...]\n-f LIST [FILE...]",
        about,
        device_children,
        NULL,
        NULL};
    static const ww_find_options defaults = WW_FIND_OPTIONS;
    request r = {.job = {.command = argv[0]},
                 .options = defaults,
                 .before = -1,
                 .after = -1,
                 .context = -1,
                 .colouring = COLOUR_AUTO};
    r.arguments = calloc((size_t)argc, sizeof *r.arguments);
    r.texts = calloc((size_t)argc, sizeof *r.texts);
    r.files.globs = calloc((size_t)argc, sizeof *r.files.globs);
    if (!r.arguments || !r.texts || !r.files.globs) return misuse(argv[0], "out of memory");
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    int status = read_patterns(&r);
    if (!status && !collect_files(&r)) status = misuse(argv[0], "out of memory");
    if (!status)
        status = r.lines ? find_lines(&r) : find(&r);
    else
        status = MISUSED;
    r.job.time = false; /* said already */
    job_close(&r.job, status);
    patterns_free(&r.patterns);
    find_files_free(&r.files);
    free(r.texts);
    free(r.arguments);
    return status;
}
