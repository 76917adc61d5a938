/* What the files of `warpwise nbody` share: bodies, where they come from, and what is made of them. Functions that can fail
 * return an exit status and have printed the sentence. */
#ifndef CLI_NBODY_H
#define CLI_NBODY_H

#include "job.h"

enum { MASS, X, Y, Z, VX, VY, VZ, COLUMNS };
extern const char *const nbody_columns[COLUMNS];

/* What is measured of them, as in ww_nbody_totals. */
typedef struct nbody_sums {
    double energy;
    double momentum[3];
} nbody_sums;

typedef struct bodies {
    uint64_t count;
    uint32_t dimensions;
    double *column[COLUMNS]; /* all in one piece of memory, which begins at the first */
    ww_array room;           /* that piece */
} bodies;

/* Memory for so many, all 0. */
int bodies_room(job *j, uint64_t count, bodies *b);

/* ---- CSV (nbody_csv.c) ---- */

/* A header with mass, x, y, z, vx, vy, vz in any order (z and vz may both be missing: two dimensions), and a row for each body.
 * Lines end with LF or CRLF; a byte-order mark is skipped. */
int bodies_read(job *j, const char *path, bodies *b);
/* The same, with as many digits as read back to the same numbers; a file's bytes for job_write. */
int bodies_text(job *j, const bodies *b, ww_array *text);

/* ---- initial states (nbody_start.c) ---- */

/* Plummer's sphere of mass 1 and energy -1/4 at rest, as Aarseth, Henon and Wielen (1974) make one. */
void start_plummer(bodies *b, uint64_t seed);
/* Two disks, each around a bulge, that pass near each other. */
void start_galaxies(bodies *b, uint64_t seed);

/* ---- pictures (nbody_image.c) ---- */

bool images_can_be_made(void); /* whether this build has libpng */
/* Half the width of a view that most of the bodies are in. */
int image_view(job *j, const bodies *b, double *half_width);
/* A picture of x and y, `pixels` wide and high: what is dense is bright, slow is warm and fast is blue. A file's bytes. */
int image_make(job *j, const bodies *b, double half_width, uint64_t pixels, ww_array *png);

/* ---- going on (nbody_checkpoint.c) ---- */

/* What a run is made of, and how far it has come. */
typedef struct nbody_run {
    uint64_t done;
    double dt;
    ww_nbody_options options;
    double half_width; /* 0: not chosen yet */
    nbody_sums start;
    bool started; /* `start` is known */
} nbody_run;

/* A file's bytes, and what was in a file. */
int checkpoint_make(job *j, const nbody_run *run, const bodies *b, ww_array *data);
int checkpoint_read(job *j, const char *path, nbody_run *run, bodies *b);

#endif
