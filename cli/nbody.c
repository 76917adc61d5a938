/* warpwise nbody: bodies that attract each other, step after step. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "nbody.h"
#include "option.h"
#include "print.h"

/* In the order of ww_nbody_method. */
static const char *const methods[] = {"auto", "tree", "exact"};

typedef struct request {
    job job;
    nbody_run run;
    const char *bodies, *out, *png, *checkpoint, *resume;
    uint64_t plummer, galaxies, steps, seed, every, pixels;
    bool stepped; /* --steps was given */
    bool timed;   /* --dt was */
    bool physics; /* what a checkpoint says was given */
    bool viewed;
} request;

enum {
    BODIES = 1,
    PLUMMER,
    GALAXIES,
    STEPS,
    DT,
    THETA,
    SOFTENING,
    METHOD,
    MONOPOLES,
    SEED,
    OUT,
    PNG,
    EVERY,
    PIXELS,
    VIEW,
    CHECKPOINT,
    RESUME
};

static double parse_real(struct argp_state *state, const char *name, const char *text, double least) {
    number n;
    if (!parse_number(text, strlen(text), &n) || !isfinite(n.value))
        argp_error(state, "--%s=%s: is not a number", name, text);
    else if (n.value < least)
        argp_error(state, "--%s=%s: is below %g", name, text, least);
    return n.value;
}

static void check_request(struct argp_state *state, const request *r) {
    const int starts = (r->plummer != 0) + (r->galaxies != 0) + (r->bodies != NULL) + (r->resume != NULL);
    if (!starts) argp_error(state, "--bodies=F.csv, --plummer=N, --galaxies=N or --resume=F is missing");
    if (starts > 1) argp_error(state, "--bodies, --plummer, --galaxies, --resume: only one of them");
    if (!r->stepped) argp_error(state, "--steps=K is missing");
    if (r->resume && r->physics)
        argp_error(state, "--resume: --dt, --theta, --softening, --method and --monopoles come from the checkpoint");
    if (r->steps && !r->timed && !r->resume) argp_error(state, "--dt=S is missing");
    if (!r->out && !r->png && !r->checkpoint) argp_error(state, "--out=F.csv is missing");
    if (r->png && !strcmp(r->png, "-")) argp_error(state, "--png=-: a picture needs a name");
    if (r->png && !images_can_be_made()) argp_error(state, "--png=%s: this build has no libpng", r->png);
    if (r->every && !r->png && !r->checkpoint) argp_error(state, "--every needs --png or --checkpoint");
    const char *const outputs[] = {r->out, r->png, r->checkpoint};
    for (size_t k = 0; k < 3; k++)
        if (outputs[k] && named_npy(outputs[k])) argp_error(state, "%s: none of these files can be .npy", outputs[k]);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->job;
        return 0;
    case BODIES:
        r->bodies = argument;
        return 0;
    case PLUMMER:
        r->plummer = parse_whole(state, "plummer", argument, 1, WW_NBODY_MOST);
        return 0;
    case GALAXIES:
        r->galaxies = parse_whole(state, "galaxies", argument, 2, WW_NBODY_MOST);
        return 0;
    case STEPS:
        r->steps = parse_whole(state, "steps", argument, 0, UINT64_MAX);
        r->stepped = true;
        return 0;
    case DT:
        r->run.dt = parse_real(state, "dt", argument, -HUGE_VAL);
        r->timed = r->physics = true;
        return 0;
    case THETA:
        r->run.options.theta = parse_real(state, "theta", argument, 0);
        r->physics = true;
        return 0;
    case SOFTENING:
        r->run.options.softening = parse_real(state, "softening", argument, 0);
        r->physics = true;
        return 0;
    case METHOD:
        r->run.options.method = (uint32_t)parse_method(state, argument, methods, sizeof methods / sizeof *methods);
        r->physics = true;
        return 0;
    case MONOPOLES:
        r->run.options.quadrupoles = false;
        r->physics = true;
        return 0;
    case SEED:
        r->seed = parse_whole(state, "seed", argument, 0, UINT64_MAX);
        return 0;
    case OUT:
        r->out = argument;
        return 0;
    case PNG:
        r->png = argument;
        return 0;
    case EVERY:
        r->every = parse_whole(state, "every", argument, 1, UINT64_MAX);
        return 0;
    case PIXELS:
        r->pixels = parse_whole(state, "pixels", argument, 16, 8192);
        return 0;
    case VIEW:
        r->run.half_width = parse_real(state, "view", argument, 0);
        if (r->run.half_width == 0) argp_error(state, "--view=%s: shows nothing", argument);
        r->viewed = true;
        return 0;
    case CHECKPOINT:
        r->checkpoint = argument;
        return 0;
    case RESUME:
        r->resume = argument;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is one argument too many", argument);
        return 0;
    case ARGP_KEY_END:
        check_request(state, r);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the bodies, here and in the library ---- */

static int begin(request *r, bodies *b) {
    job *j = &r->job;
    const double view = r->run.half_width;
    if (r->bodies) return bodies_read(j, r->bodies, b);
    if (r->resume) {
        if (checkpoint_read(j, r->resume, &r->run, b)) return FAILED;
        if (r->viewed) r->run.half_width = view;
        return r->run.done <= r->steps ? DONE
                                       : job_fail(j, "%s: has done %" PRIu64 " steps, and --steps=%" PRIu64, r->resume,
                                                  r->run.done, r->steps);
    }
    if (bodies_room(j, r->plummer + r->galaxies, b)) return FAILED;
    progress_phase(j->progress, "making bodies");
    if (r->plummer)
        start_plummer(b, r->seed);
    else
        start_galaxies(b, r->seed);
    return DONE;
}

static ww_input input_of(const bodies *b, int k) {
    return b->dimensions == 2 && (k == Z || k == VZ) ? ww_no_input : ww_memory(b->column[k], b->count);
}

static ww_array array_of(const bodies *b, int k) { return ww_array(b->column[k], b->count); }

static int put_in(job *j, ww_nbody *nbody, const bodies *b) {
    return job_check(j, ww_nbody_set(nbody, input_of(b, MASS), input_of(b, X), input_of(b, Y), input_of(b, Z),
                                     input_of(b, VX), input_of(b, VY), input_of(b, VZ)));
}

static int take_out(job *j, ww_nbody *nbody, const bodies *b) {
    if (job_check(j, ww_nbody_get(nbody, array_of(b, X), array_of(b, Y), array_of(b, Z), array_of(b, VX),
                                  array_of(b, VY), array_of(b, VZ))))
        return FAILED;
    return job_check(j, ww_sync(j->device));
}

static int sums_of(job *j, ww_nbody *nbody, nbody_sums *sums) {
    ww_nbody_totals totals = WW_NBODY_TOTALS;
    if (job_check(j, ww_nbody_totals_get(nbody, &totals))) return FAILED;
    sums->energy = totals.kinetic + totals.potential;
    memcpy(sums->momentum, totals.momentum, sizeof sums->momentum);
    return DONE;
}

/* ---- what is written ---- */

/* "frame.png" is "frame-000100.png" after 100 steps, where there is more than one. */
static int frame_name(request *r, char **name) {
    const size_t length = strlen(r->png), ending = length > 4 && !strcmp(r->png + length - 4, ".png") ? 4 : 0;
    *name = malloc(length + 32);
    if (!*name) return job_fail(&r->job, "out of memory");
    if (r->every)
        snprintf(*name, length + 32, "%.*s-%06" PRIu64 "%s", (int)(length - ending), r->png, r->run.done,
                 r->png + length - ending);
    else
        snprintf(*name, length + 32, "%s", r->png);
    return DONE;
}

/* A frame, a checkpoint and, at the end, the bodies: all of them or none. */
static int write_out(request *r, const bodies *b, bool last) {
    enum { FILES = 3 };
    job *j = &r->job;
    ww_file_output outputs[FILES];
    ww_array made[FILES] = {ww_none, ww_none, ww_none};
    char *name = NULL;
    size_t many = 0;
    int status = DONE;
    if (r->png && r->run.half_width == 0) status = image_view(j, b, &r->run.half_width);
    if (r->png && !status) {
        status = frame_name(r, &name);
        if (!status) status = image_make(j, b, r->run.half_width, r->pixels, &made[many]);
        outputs[many].path = name;
        if (!status) many++;
    }
    if (r->checkpoint && !status) {
        status = checkpoint_make(j, &r->run, b, &made[many]);
        outputs[many].path = r->checkpoint;
        if (!status) many++;
    }
    if (r->out && last && !status) {
        status = bodies_text(j, b, &made[many]);
        outputs[many].path = r->out;
        if (!status) many++;
    }
    for (size_t k = 0; k < many; k++) outputs[k].in = ww_from(made[k]);
    if (!status && many) status = job_write(j, outputs, many);
    for (size_t k = 0; k < FILES; k++) job_free(j, &made[k]);
    free(name);
    return status;
}

static int report(request *r, const bodies *b, const nbody_sums *now) {
    char energy[VALUE_TEXT], time[VALUE_TEXT];
    double square = 0;
    const double from = r->run.start.energy, off = fabs(now->energy - from);
    for (int k = 0; k < 3; k++) square += pow(now->momentum[k] - r->run.start.momentum[k], 2);
    job_quiet(&r->job);
    fprintf(r->out && !strcmp(r->out, "-") ? stderr : stdout,
            "bodies %" PRIu64 " steps %" PRIu64 " time %s energy %s drift %.3g momentum-drift %.3g\n", b->count,
            r->run.done, double_text((double)r->run.done * r->run.dt, time), double_text(now->energy, energy),
            from != 0 ? off / fabs(from) : off, sqrt(square));
    return job_printed(&r->job);
}

/* ---- the run ---- */

static int steps(request *r, ww_nbody *nbody, const bodies *b) {
    job *j = &r->job;
    int status = DONE;
    const uint64_t first = r->run.done;
    if (r->every && !first) status = write_out(r, b, false); /* how it began */
    progress_phase(j->progress, "stepping");
    while (!status && r->run.done < r->steps) {
        const double began = seconds_now();
        status = job_check(j, ww_nbody_step(nbody, r->run.dt, 1));
        if (!status) status = job_check(j, ww_sync(j->device));
        j->working += seconds_now() - began;
        j->items += b->count;
        r->run.done++;
        progress_steps(j->progress, r->run.done - first, r->steps - first);
        if (status || !r->every || r->run.done % r->every || r->run.done == r->steps) continue;
        status = take_out(j, nbody, b);
        if (!status) status = write_out(r, b, false);
        progress_phase(j->progress, "stepping");
        progress_steps(j->progress, r->run.done - first, r->steps - first);
    }
    return status;
}

static int go(request *r, ww_nbody *nbody, const bodies *b) {
    job *j = &r->job;
    nbody_sums now;
    if (put_in(j, nbody, b)) return FAILED;
    if (r->png && r->run.half_width == 0 && image_view(j, b, &r->run.half_width)) return FAILED;
    if (!r->run.started && sums_of(j, nbody, &r->run.start)) return FAILED;
    r->run.started = true;
    int status = steps(r, nbody, b);
    if (!status) status = take_out(j, nbody, b);
    if (!status) status = sums_of(j, nbody, &now);
    if (!status) status = write_out(r, b, true);
    return status ? status : report(r, b, &now);
}

static int nbody(void *argument) {
    request *r = argument;
    ww_nbody *nbody = NULL;
    bodies b = {.room = ww_none};
    if (begin(r, &b)) return FAILED;
    r->run.options.dimensions = b.dimensions;
    snprintf(r->job.label, sizeof r->job.label, "bodies");
    if (r->steps == 0) return write_out(r, &b, true);
    int status = job_check(&r->job, ww_nbody_create(r->job.device, b.count, &r->run.options, &nbody));
    if (!status) status = go(r, nbody, &b);
    ww_nbody_destroy(nbody);
    return status;
}

int nbody_command(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"bodies", BODIES, "F.csv", 0, "begin with these bodies: a header mass,x,y,z,vx,vy,vz, and a row for each body",
         1},
        {"plummer", PLUMMER, "N", 0, "begin with a Plummer sphere of N bodies", 1},
        {"galaxies", GALAXIES, "N", 0, "begin with two galaxies that collide, N bodies in all", 1},
        {"resume", RESUME, "F", 0, "continue from a checkpoint, with its --dt, --theta and so on", 1},
        {"seed", SEED, "S", 0, "seed of --plummer and --galaxies; default: 0", 1},
        {"steps", STEPS, "K", 0, "total number of steps, including those before a checkpoint; 0 writes the input back",
         2},
        {"dt", DT, "S", 0, "length of a step in time; if negative, time runs backwards", 2},
        {"theta", THETA, "T", 0, "opening angle of the tree; default: 0.5; 0 is exact", 2},
        {"softening", SOFTENING, "E", 0, "(r^2 + E^2)^(1/2) takes the place of the distance r; default: 0.01", 2},
        {"method", METHOD, "METHOD", 0, "tree, exact (all pairs) or auto", 2},
        {"monopoles", MONOPOLES, NULL, 0, "treat nodes of the tree as points: quicker, and less exact", 2},
        {"out", OUT, "F.csv", 0, "write the bodies at the end, in their original order", 3},
        {"png", PNG, "F.png", 0, "write a picture of x and y at the end", 3},
        {"every", EVERY, "K", 0, "also write a picture (F-000100.png) and a checkpoint after every K steps", 3},
        {"pixels", PIXELS, "N", 0, "width and height of pictures; default: 1024", 3},
        {"view", VIEW, "R", 0, "pictures show x and y from -R to R; default: where most bodies begin", 3},
        {"checkpoint", CHECKPOINT, "F", 0, "write a checkpoint for --resume", 3},
        {0}};
    static const char about[] =
        "Simulates bodies that attract each other for K steps of length S: with Barnes and Hut's tree or between all "
        "pairs, with G = 1 and Plummer's softening, by leapfrog integration (kick, drift, kick)."
        "\v"
        "Examples:\n"
        "  warpwise nbody --plummer=10000 --steps=100 --dt=0.01 --out=end.csv\n"
        "  warpwise nbody --bodies=start.csv --steps=0 --out=same.csv\n"
        "  warpwise nbody --galaxies=100000 --steps=1000 --dt=0.01 --png=frame.png --every=10 --checkpoint=run.ckpt\n"
        "  warpwise nbody --resume=run.ckpt --steps=2000 --png=frame.png --every=10 --out=end.csv\n\n"
        "Prints a line: bodies N steps K time T energy E drift D momentum-drift M, where D is relative to the energy "
        "at the start; on standard error if OUT is \"-\". CSV without z and vz is in two dimensions. A mass may be "
        "negative. A run that continues from a checkpoint gives the same bytes as one without interruption. Files "
        "appear when they are complete. docs/space.md describes the method.\n" STATUS_HELP;
    static const struct argp argp = {options, parse_option, NULL, about, device_children, NULL, NULL};
    request r = {.run = {.options = WW_NBODY_OPTIONS}, .pixels = 1024};
    return job_main(argc, argv, &argp, &r, nbody);
}
