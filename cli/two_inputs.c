#include "two_inputs.h"

#include <string.h>

void check_two_inputs(struct argp_state *state, const job *j, const char *const *files) {
    require_type(state, j, files[0]);
    require_type(state, j, files[1]);
    if (strcmp(files[0], "-") == 0 && strcmp(files[1], "-") == 0)
        argp_error(state, "only one of A and B can be standard input");
}

int read_two_inputs(job *j, const char *const *files, ww_file_array *a, ww_file_array *b) {
    char label_a[24], label_b[24];
    int status = job_read(j, files[0], j->type, a);
    if (!status) status = job_read(j, files[1], j->type, b);
    if (status) return status;
    if (a->array.type == b->array.type && a->array.size == b->array.size) return DONE;
    return job_fail(j, "%s holds %s, %s holds %s", files[0], type_label(&a->array, label_a), files[1],
                    type_label(&b->array, label_b));
}
