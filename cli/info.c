/* warpwise info: what devices there are, why others are not, and what the chosen one is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "standard.h"

static void print_device(void *context, const char *name, const char *description, const char *why_not) {
    (void)context;
    if (why_not) {
        printf("  %-10s not usable: %s\n", name, why_not);
    } else {
        printf("  %-10s %s\n", name, description);
    }
}

/* One small reduction, waited for; its seconds. A result on the host is waited for by the call itself. */
static int time_reduction(job *j, const ww_function *op, double *seconds) {
    uint64_t sum;
    const double began = seconds_now();
    const ww_status status = ww_reduce(j->device, op, ww_counting(&ww_type_uint64_t, 1, 1000), ww_array(&sum, 1));
    *seconds = seconds_now() - began;
    return job_check(j, status);
}

/* Where a call's program came from. */
static const char *first_program(const ww_device_info *info) {
    if (info->programs_compiled)
        return "compiled; kept for the next time, unless WARPWISE_CACHE=off or others may write to its folder";
    return info->programs_from_pack ? "its program was in the kernel pack" : "its program was in the cache";
}

static void print_pack(const ww_device_info *info) {
    if (strcmp(info->backend, "cuda") != 0) return;
    if (info->kernel_pack)
        printf("  pack       %" PRIu64 " programs for this GPU in %s\n", info->kernel_pack_programs, info->kernel_pack);
    else
        printf("  pack       none; every program is compiled when it is first wanted\n");
}

/* What starting costs on a GPU: opening the device, a kernel's first call and a warmed one. */
static int time_programs(job *j, double opened) {
    ww_device_info info = WW_DEVICE_INFO;
    double first, again;
    if (time_reduction(j, &ww_add, &first) || time_reduction(j, &ww_add, &again)) return FAILED;
    if (job_check(j, ww_device_info_get(j->device, &info))) return FAILED;
    printf("  opening    %.1f ms, the driver's own start included\n", 1e3 * opened);
    printf("  first call %.1f ms (%s)\n", 1e3 * first, first_program(&info));
    printf("  next call  %.3f ms, its result copied to the host\n", 1e3 * again);
    return DONE;
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
        "Lists the devices that can be opened, and why others cannot; then describes the chosen device."
        "\v"
        "Examples:\n"
        "  warpwise info\n"
        "  warpwise info --device=cpu:threads=4\n" STATUS_HELP;
    static const struct argp argp = {NULL, parse_option, NULL, about, device_children, NULL, NULL};
    job j = {.command = argv[0]};
    ww_device_info info = WW_DEVICE_INFO;
    argp_parse(&argp, argc, argv, 0, NULL, &j);

    const double began = seconds_now();
    printf("warpwise %s\n\ndevices\n", ww_version());
    ww_devices(print_device, NULL);
    if (job_printed(&j)) return job_close(&j, FAILED);
    const double opening = seconds_now();
    if (job_open(&j)) return job_close(&j, FAILED);
    const double opened = seconds_now() - opening;
    if (job_check(&j, ww_device_info_get(j.device, &info))) return job_close(&j, FAILED);
    const char *from = secure_getenv("WARPWISE_DEVICE");
    printf("\n%s\n", j.device_name   ? "the device of --device"
                     : from && *from ? "the device of WARPWISE_DEVICE"
                                     : "the default device");
    printf("  backend    %s\n", info.backend);
    if (!strcmp(info.backend, "cpu")) {
        printf("  threads    %u\n", info.threads);
        printf("  vectors    %s\n", info.vector);
    }
    printf("  memory     %.1f GB\n", (double)info.memory / 1e9);
    print_pack(&info);
    if (strcmp(info.backend, "cpu") && time_programs(&j, opened)) return job_close(&j, FAILED);
    if (j.time) {
        fprintf(stderr, "%s: %.6f s\n", j.command, seconds_now() - began);
        j.time = false;
    }
    return job_close(&j, job_printed(&j));
}
