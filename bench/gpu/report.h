/* The benchmark's table and its JSON. A line a row; the file is whole after each, so that a run that is stopped leaves what it
 * had, and a later one with --resume goes on. The row that a run ended in by force is not tried again, and is said. */
#ifndef BENCH_GPU_REPORT_H
#define BENCH_GPU_REPORT_H

#include <cstddef>
#include <string>
#include <vector>

struct report_way {
    std::string name;
    double rate;   /* G items a second */
    double queued; /* the host's seconds until the call comes back */
    bool right;
};

struct report_row {
    std::string label;
    size_t n;
    double bytes_an_item, required,
        own, queued; /* required: below 0 so many times what the peer reaches; own: G items a second; queued: as a way's */
    std::vector<report_way> ways;
    bool right;
};

struct report_options {
    const char *file = nullptr; /* the JSON */
    const char *date = "today";
    bool resume = false, sizes = false; /* sizes: other rows, of many counts each, which require nothing */
    unsigned share = 0, shares = 0; /* --warm: only this part of the rows, and no more than one call of each */
    std::vector<std::string> words; /* rows whose labels have one; all where there are none */
};

struct report_machine {
    std::string device, library;
    int driver, cub;
    double copy_rate; /* bytes read and written a second */
};

void report_options_are(const report_options &options);
bool report_only_warms();

/* Reads the rows of a file that is gone on with; prints the head, unless there is such a file. */
void report_open(const report_machine &machine);
int report_close(); /* how many rows were wrong, or ended their run */

std::string report_label(const char *name, size_t n);
bool report_wants(const std::string &label);
bool report_wants_family(const std::string &begin); /* labels that begin so: whether words leave any */
void report_begins(const std::string &label);
void report_print(const report_row &row);

#endif
