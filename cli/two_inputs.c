#include "two_inputs.h"

#include <string.h>

error_t parse_two_inputs(int key, char *argument, struct argp_state *state, job *j) {
    const error_t known = parse_files(key, argument, state, j);
    if (key != ARGP_KEY_END) return known;
    require_type(state, j, j->files[1]);
    if (strcmp(j->files[0], "-") == 0 && strcmp(j->files[1], "-") == 0)
        argp_error(state, "only one of A and B can be standard input");
    return known;
}

int read_two_inputs(job *j, ww_file_array *a, ww_file_array *b) {
    char label_a[24], label_b[24];
    int status = job_read(j, j->files[0], j->type, a);
    if (!status) status = job_read(j, j->files[1], j->type, b);
    if (status) return status;
    if (a->array.type == b->array.type && a->array.size == b->array.size) return DONE;
    return job_fail(j, "%s holds %s, %s holds %s", j->files[0], type_label(&a->array, label_a), j->files[1],
                    type_label(&b->array, label_b));
}
