#include "report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>

namespace {

report_options options;
double copy_rate;
FILE *json;
long json_end; /* where the next row goes, over what closes the file */
bool first_row = true;
int wrong_rows;
std::vector<std::string> there; /* labels of rows that need no measuring: the file has them, or a run ended in them */

std::string doing_file() { return std::string(options.file) + ".doing"; }

void add_to_json(const std::string &row) {
    fseek(json, json_end, SEEK_SET);
    fprintf(json, "%s\n    %s", first_row ? "" : ",", row.c_str());
    json_end = ftell(json);
    fprintf(json, "\n]}\n");
    fflush(json);
    first_row = false;
}

std::string text(const char *format, double x) {
    char s[64];
    snprintf(s, sizeof s, format, x);
    return s;
}

/* Of a line of the file: what stands between `before` and `after`. */
std::string between(const std::string &line, const char *before, const char *after) {
    const size_t from = line.find(before);
    if (from == std::string::npos) return "";
    const size_t at = from + strlen(before), to = line.find(after, at);
    return line.substr(at, to == std::string::npos ? to : to - at);
}

/* Rows of the file, as they stand in it. */
std::vector<std::string> rows_of_file() {
    std::vector<std::string> rows;
    std::ifstream file(options.file);
    for (std::string line; std::getline(file, line);) {
        const std::string copy = between(line, "\"copy_gb_per_second\": ", ",");
        if (!copy.empty()) copy_rate = atof(copy.c_str()) * 1e9;
        const std::string label = between(line, "    {\"name\": \"", "\"");
        if (label.empty()) continue;
        there.push_back(label);
        rows.push_back(line.substr(4, line.find_last_of('}') - 3));
        wrong_rows += line.find("\"right\": true") == std::string::npos;
    }
    return rows;
}

/* The row in which the run before ended, if it did not come to its end. */
void add_what_failed() {
    std::ifstream file(doing_file());
    std::string label;
    if (!std::getline(file, label) || label.empty()) return;
    printf("%-52s the run before ended in it\n", label.c_str());
    there.push_back(label);
    add_to_json("{\"name\": \"" + label + "\", \"right\": false}");
    wrong_rows++;
}

} // namespace

void report_options_are(const report_options &given) { options = given; }

bool report_only_warms() { return options.shares; }

void report_open(const report_machine &m) {
    std::vector<std::string> rows;
    if (report_only_warms()) return;
    copy_rate = m.copy_rate;
    if (options.file && options.resume) rows = rows_of_file();
    if (rows.empty()) {
        printf("%s, CUDA %d.%d, CUB %d.%d.%d, copy %.0f GB/s (read and written), %s\n", m.device.c_str(), m.driver / 1000,
               m.driver % 1000 / 10, m.cub / 100000, m.cub / 100 % 1000, m.cub % 100, copy_rate * 1e-9, options.date);
        printf("%-52s %9s %8s %9s %7s %9s\n", "", "Gitems/s", "of copy", "peer", "ratio", "required");
    }
    if (!options.file || !(json = fopen(options.file, "w"))) return;
    fprintf(json, "{\"device\": \"%s\", \"cuda\": %d, \"cub\": %d, \"date\": \"%s\", \"library\": \"%s\", "
                  "\"copy_gb_per_second\": %.1f, \"rows\": [",
            m.device.c_str(), m.driver, m.cub, options.date, m.library.c_str(), copy_rate * 1e-9);
    json_end = ftell(json);
    for (const std::string &r : rows) add_to_json(r);
    if (options.resume) add_what_failed();
}

int report_close() {
    if (json) fclose(json), remove(doing_file().c_str());
    return wrong_rows;
}

std::string report_label(const char *name, size_t n) {
    char label[128];
    if (n & (n - 1)) snprintf(label, sizeof label, "%s, n = %zu", name, n);
    else snprintf(label, sizeof label, "%s, 2^%.0f", name, std::log2(double(n)));
    return label;
}

bool report_wants(const std::string &label) {
    if (std::find(there.begin(), there.end(), label) != there.end()) return false;
    /* Rows of one name share programs: one process compiles them. */
    if (options.shares && std::hash<std::string>()(label.substr(0, label.rfind(','))) % options.shares != options.share) return false;
    return options.words.empty() || std::any_of(options.words.begin(), options.words.end(), [&](const std::string &w) {
               return label.find(w) != std::string::npos;
           });
}

bool report_wants_family(const std::string &begin) {
    return options.words.empty() ||
           std::any_of(options.words.begin(), options.words.end(), [&](const std::string &w) { return w.find(begin) == 0; });
}

void report_begins(const std::string &label) {
    if (json) std::ofstream(doing_file()) << label << '\n';
}

void report_print(const report_row &r) {
    const report_way *peer = nullptr;
    bool right = r.right;
    for (const report_way &w : r.ways) {
        right &= w.right;
        if (w.right && (!peer || w.rate > peer->rate)) peer = &w;
    }
    const double theirs = peer ? peer->rate : 0;
    const double required = options.sizes ? 0 : r.required < 0 ? -r.required * theirs : r.required;
    const double of_copy = r.own * 1e9 * r.bytes_an_item / copy_rate;
    wrong_rows += !right;
    printf("%-52s %9.3f %8.3f %9.3f %7.2f %9.1f  %s  queued in %.1f%s us%s%s%s\n", r.label.c_str(), r.own, of_copy, theirs,
           peer ? r.own / theirs : 0, required, r.own >= required ? "met" : "NOT MET", r.queued * 1e6,
           peer ? text(", %.1f", peer->queued * 1e6).c_str() : "", peer ? "  beside " : "", peer ? peer->name.c_str() : "",
           right ? "" : "  WRONG RESULT");
    for (const report_way &w : r.ways)
        if (&w != peer) printf("    %9.1f%s by %s\n", w.rate, w.right ? "" : ", WRONG,", w.name.c_str());
    fflush(stdout);
    if (!json) return;
    std::string ways;
    for (const report_way &w : r.ways)
        ways += (ways.empty() ? "\"" : ", \"") + w.name + "\": " + (w.right ? text("%.5f", w.rate) : std::string("\"wrong\""));
    add_to_json("{\"name\": \"" + r.label + "\", \"items\": " + std::to_string(r.n) + text(", \"gitems_per_second\": %.5f", r.own) +
                text(", \"of_copy\": %.4f", of_copy) + text(", \"peer_gitems_per_second\": %.5f", theirs) + ", \"peer\": \"" +
                (peer ? peer->name : "") + "\", \"ways\": {" + ways + "}" + text(", \"queued_us\": %.2f", r.queued * 1e6) +
                (peer ? text(", \"peer_queued_us\": %.2f", peer->queued * 1e6) : "") + text(", \"required\": %.1f", required) +
                ", \"right\": " + (right ? "true" : "false") + "}");
}
