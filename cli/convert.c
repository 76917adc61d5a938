/* warpwise convert: numbers in text and in columns of CSV become arrays, and arrays text. */
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "convert.h"

enum { COLUMN = 1, FROM, TO, DELIMITER, HEADER, MISSING };

static const char *const form_names[] =
    {[FORM_CSV] = "csv", [FORM_TEXT] = "text", [FORM_NPY] = "npy", [FORM_RAW] = "raw"};

static form form_named(struct argp_state *state, const char *option, const char *name) {
    for (form f = FORM_CSV; f <= FORM_RAW; f++)
        if (strcmp(name, form_names[f]) == 0) return f;
    argp_error(state, "--%s=%s: is not one of csv, text, npy, raw", option, name);
    return FORM_UNKNOWN;
}

static form form_of_name(const char *path) {
    return ends_in(path, ".csv") || ends_in(path, ".tsv")   ? FORM_CSV
           : ends_in(path, ".txt")                          ? FORM_TEXT
           : ends_in(path, ".bin") || ends_in(path, ".raw") ? FORM_RAW
           : ends_in(path, ".npy") || ends_in(path, ".npz") ? FORM_NPY /* the second is refused when it is read */
                                                            : FORM_UNKNOWN;
}

/* What no name and no option says: text becomes an array, and an array text where standard output is; else both are arrays. */
static void settle_forms(conversion *c) {
    const char *in = c->job.files[0], *out = c->job.files[1];
    if (!c->from) c->from = form_of_name(in);
    if (!c->to) c->to = form_of_name(out);
    if (!c->from && c->column && c->to != FORM_CSV) c->from = FORM_CSV;
    if (!c->from && is_text(c->to)) c->from = strcmp(in, "-") == 0 && !c->job.type.type ? FORM_NPY : FORM_RAW;
    if (!c->from) c->from = FORM_TEXT;
    if (!c->to) c->to = !is_text(c->from) && strcmp(out, "-") == 0 ? FORM_TEXT : FORM_RAW;
    if (!c->delimiter) c->delimiter = ends_in(c->from == FORM_CSV ? in : out, ".tsv") ? '\t' : ',';
}

static void check_together(conversion *c, struct argp_state *state) {
    const char *in = c->job.files[0], *out = c->job.files[1];
    if (c->job.npy && !c->to && strcmp(out, "-") == 0) c->to = FORM_NPY; /* --out-type */
    settle_forms(c);
    if (c->from == FORM_CSV && !c->column) argp_error(state, "%s is CSV: --column=NAME|N is missing", in);
    if (c->column && c->from != FORM_CSV && c->to != FORM_CSV)
        argp_error(state, "--column=%s: neither IN nor OUT is CSV (--from=csv, --to=csv)", c->column);
    if (c->column && strlen(c->column) > CSV_LONGEST)
        argp_error(state, "--column: names of more than %d bytes are not supported", CSV_LONGEST);
    if (c->from == FORM_CSV && *c->column && strspn(c->column, "0123456789") == strlen(c->column)) {
        uint64_t number;
        if (!parse_count(c->column, 1, UINT64_MAX, &number))
            argp_error(state, "--column=%s: columns count from 1", c->column);
    } else if (c->from == FORM_CSV && c->no_header) {
        argp_error(state, "--column=%s is a name, and --header=no says that there are none", c->column);
    }
    if (c->missing && !is_text(c->from)) argp_error(state, "--missing=V is only for reading text");
    if ((c->header || c->no_header) && c->from != FORM_CSV) argp_error(state, "--header is only for reading CSV");
    if (c->from == FORM_RAW && !c->job.type.type) argp_error(state, "%s is raw: --type=T is missing", in);
    if (c->to != FORM_NPY && ends_in(out, ".npy"))
        argp_error(state, "%s: names that end in .npy are for --to=npy", out);
    if (c->to == FORM_NPY && !ends_in(out, ".npy") && strcmp(out, "-") != 0)
        argp_error(state, "%s: .npy is written only to names that end in .npy, and to standard output", out);
}

static void parse_delimiter(conversion *c, const char *text, struct argp_state *state) {
    c->delimiter = strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0 ? '\t' : text[0];
    if (c->delimiter != '\t' && (!text[0] || text[1] || strchr("\"\r\n+-.", text[0]) ||
                                 (text[0] >= '0' && text[0] <= '9') || (text[0] & 0x80))) {
        argp_error(state, "--delimiter=%s: is not a single character that numbers do not have, and not \"tab\"", text);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    conversion *c = state->input;
    switch (key) {
    case COLUMN:
        c->column = argument;
        return 0;
    case FROM:
        c->from = form_named(state, "from", argument);
        return 0;
    case TO:
        c->to = form_named(state, "to", argument);
        return 0;
    case DELIMITER:
        parse_delimiter(c, argument, state);
        return 0;
    case HEADER:
        c->header = strcmp(argument, "yes") == 0;
        c->no_header = strcmp(argument, "no") == 0;
        if (!c->header && !c->no_header) argp_error(state, "--header=%s: is neither yes nor no", argument);
        return 0;
    case MISSING:
        c->missing = argument;
        return 0;
    case ARGP_KEY_END:
        for (size_t i = 0; c->job.names[i]; i++)
            if (!c->job.files[i]) argp_error(state, "the file %s is missing", c->job.names[i]);
        check_together(c, state);
        return 0;
    default:
        return parse_files(key, argument, state, &c->job);
    }
}

static int convert(void *request) {
    conversion *c = request;
    job *j = &c->job;
    char phase[200];
    snprintf(phase, sizeof phase, "converting %.180s", strcmp(j->files[0], "-") ? j->files[0] : "standard input");
    progress_phase(j->progress, phase);
    const double began = seconds_now();
    int status = convert_read(c);
    j->working = seconds_now() - began;
    if (!status) status = convert_finish(c);
    convert_close(c);
    return status;
}

int convert_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"column", COLUMN, "NAME|N", 0,
         "when reading CSV: the column, by name or by number from 1; when writing CSV: the column's name", 0},
        {"from", FROM, "FORM", 0, "form of IN: csv, text (a number a line), npy or raw; default: by its name", 0},
        {"to", TO, "FORM", 0, "form of OUT; default: by its name", 0},
        {"delimiter", DELIMITER, "C", 0,
         "separator of columns: a character, or tab; default: a comma, or a tab in *.tsv", 0},
        {"header", HEADER, "yes|no", 0, "whether the first row of CSV has the names of the columns; default: yes", 0},
        {"missing", MISSING, "V", 0,
         "the number that replaces an empty field, nan for example; default: empty fields are "
         "refused",
         0},
        {0}};
    static const char about[] =
        "Converts numbers in a column of CSV, or in lines of text, to an array, and arrays to text."
        "\v"
        "Examples:\n"
        "  warpwise convert --column=age --type=u8 people.csv ages.npy\n"
        "  warpwise convert --column=3 --header=no --missing=nan log.tsv third.npy\n"
        "  warpwise convert --type=i64 numbers.txt numbers.bin\n"
        "  warpwise convert ages.npy ages.txt\n"
        "  seq 1000000 | warpwise convert --type=u32 - - | warpwise sort --descending --type=u32 - sorted.bin\n\n"
        "Names say what files are: *.csv and *.tsv are CSV, *.txt is text with a number a line, *.npy and *.bin "
        "arrays. Files with other names are raw arrays, or text if the other file is an array; --from and --to "
        "override that. Numbers read from text are f64 unless --type names another type. Whole numbers are read "
        "exactly, floats rounded to the nearest, and numbers that the type cannot hold are refused, with row, column "
        "and value. Floats are written with the fewest digits that read back to the same bits.\n\n"
        "CSV is as in RFC 4180: fields in double quotes may hold commas, newlines and doubled quotes; rows end in LF "
        "or CRLF, and have as many fields as the first, which is row 1. A .npy of two dimensions becomes rows of CSV. "
        "Files of any size are converted in 20 MB of memory; longer output goes to a file without a name in OUT's "
        "folder until it is complete, and then takes OUT's place. Text and raw elements go to standard output as they "
        "are converted.\n" FILES_HELP "\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, "IN OUT", about, job_children, NULL, NULL};
    static conversion c = {.job.names = in_and_out};
    return job_main(argc, argv, &argp, &c, convert);
}
