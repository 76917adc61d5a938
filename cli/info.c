/* warpwise info: what devices there are, why others are not, and what the chosen one is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "job.h"

static void print_device(void *context, const char *name, const char *description, const char *why_not) {
    (void)context;
    if (why_not) {
        printf("  %-10s not usable: %s\n", name, why_not);
    } else {
        printf("  %-10s %s\n", name, description);
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = state->input;
        return 0;
    }
    if (key == ARGP_KEY_ARG) argp_error(state, "'%s': info takes no files", argument);
    return ARGP_ERR_UNKNOWN;
}

int info_command(int argc, char **argv) {
    static const char about[] =
        "Lists the devices that can be opened, and says of the others why not; then what the chosen device is."
        "\v"
        "Examples:\n"
        "  warpwise info\n"
        "  warpwise info --device=cpu:threads=4\n" STATUS_HELP;
    static const struct argp_child children[] = {{&device_options, 0, NULL, 0}, {0}};
    static const struct argp argp = {NULL, parse_option, NULL, about, children, NULL, NULL};
    job j = {.command = argv[0]};
    ww_device_info info;
    argp_parse(&argp, argc, argv, 0, NULL, &j);

    const double began = seconds_now();
    printf("warpwise %s\n\ndevices\n", ww_version());
    ww_devices(print_device, NULL);
    fflush(stdout);
    if (job_open(&j) || job_check(&j, ww_device_info_get(j.device, &info))) return job_close(&j, FAILED);
    const char *from = getenv("WARPWISE_DEVICE");
    printf("\n%s\n", j.device_name   ? "the device of --device"
                     : from && *from ? "the device of WARPWISE_DEVICE"
                                     : "the default device");
    printf("  backend    %s\n", info.backend);
    printf("  threads    %u\n", info.threads);
    printf("  vectors    %s\n", info.vector);
    printf("  memory     %.1f GB\n", (double)info.memory / 1e9);
    if (j.time) {
        fprintf(stderr, "%s: %.6f s\n", j.command, seconds_now() - began);
        j.time = false;
    }
    return job_close(&j, fflush(stdout) ? job_fail(&j, "standard output cannot be written") : DONE);
}
