/* warpwise nbody, run as people run it: CSV in and out, runs that go on, pictures, and what is refused. */
#include <stdio.h>

#include "support/command.h"
#ifdef WARPWISE_PNG
#include <png.h>
#endif

#ifndef WARPWISE_COMMAND
int main(void) {
    left_out("the command is not built");
    return 0;
}
#else

static const char *const files[] = {"two.csv", "flat.csv", "mixed.csv", "none.csv", "short.csv"};
enum { FILES = sizeof files / sizeof files[0] };

static void put(const char *name, const char *text) { file_put(name, text, strlen(text)); }

static int set_up(void **state) {
    (void)state;
    if (!commands_begin("cli_nbody", located(WARPWISE_COMMAND), on_gpu() ? setting_name(0) : NULL)) return -1;
    put("two.csv", "mass,x,y,z,vx,vy,vz\n1,-0.5,0,0,0,-0.5,0\n1,0.5,0.1,1e-300,0,0.5,-0\n");
    put("flat.csv", "mass,x,y,vx,vy\n2,1.25,0,0,3\n-1,-1,0.30000000000000004,0,0\n");
    put("mixed.csv", "\xef\xbb\xbfvz, y,x ,z,mass,vx,vy\r\n7,3,2,4,1,5,6\r\n\r\n");
    put("none.csv", "mass,x,y,z,vx,vy,vz\n");
    put("short.csv", "mass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n1,2,3\n");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

/* ---- what is computed ---- */

#define N "\"$W\" nbody "
#define ASK "awk '{ exit !($1 == \"bodies\" && "
static const command_line results[] = {
    {N "--bodies=two.csv --steps=0 --out=- | cmp - two.csv", 0, "", ""},
    {N "--bodies=flat.csv --steps=0 --out=- | cmp - flat.csv", 0, "", ""},
    {N "--bodies=none.csv --steps=0 --out=- | cmp - none.csv", 0, "", ""},
    {N
     "--bodies=none.csv --steps=3 --dt=1 --out=a | grep -c 'bodies 0 steps 3 time 3 energy 0 drift 0' && cmp a none.csv && rm a",
     0, "1\n", ""},
    {N "--bodies=mixed.csv --steps=0 --out=-", 0, "mass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n", ""},
    {"printf '\"mass\",x,y,vx,vy\\n\\n\"1\",2,\" 3\",4,5' | " N "--bodies=- --steps=0 --out=-", 1, "",
     "row 2, mass: '' is not a number"},
    {"printf '\"mass\",x,y,vx,vy\\n\"1\",2,\" 3\",4,5' | " N "--bodies=- --steps=0 --out=-", 0,
     "mass,x,y,vx,vy\n1,2,3,4,5\n", ""},
    {N "--bodies=- --steps=0 --out=- < mixed.csv", 0, "mass,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n", ""},
    /* A body alone flies straight on. */
    {N "--bodies=mixed.csv --steps=4 --dt=0.25 --out=- 2> a && cat a && rm a", 0,
     "mass,x,y,z,vx,vy,vz\n1,7,9,11,5,6,7\nbodies 1 steps 4 time 1 energy 55 drift 0 momentum-drift 0\n", ""},
    {"cp mixed.csv same.csv && " N
     "--bodies=same.csv --steps=4 --dt=-0.25 --out=same.csv > a && cat same.csv && rm a same.csv",
     0, "mass,x,y,z,vx,vy,vz\n1,-3,-3,-3,5,6,7\n", ""},
    {N "--plummer=600 --steps=10 --dt=0.01 --out=a | " ASK
       "$2 == 600 && $4 == 10 && $6 == 0.1 && $8 < -0.23 && $8 > -0.27 && "
       "$10 < 1e-3 && $12 < 1e-4) }' && wc -l < a && rm a",
     0, "601\n", ""},
    {N "--plummer=600 --steps=2 --dt=0.01 --theta=0 --out=a > b && " N
       "--plummer=600 --steps=2 --dt=0.01 --method=exact --out=c > d "
       "&& cmp a c && cmp b d && rm a b c d",
     0, "", ""},
    /* The tree's mean error is small, and that of monopoles is larger. */
    {"for how in --method=exact --method=tree --monopoles; do " N
     "--plummer=600 --seed=3 --steps=1 --dt=1e-3 $how --out=a$how > b || "
     "exit; done; paste -d, a--method=exact a--method=tree a--monopoles | awk -F, 'NR > 1 { for (k = 5; k <= 7; k++) { t += ($k - $(k + "
     "7))^2; m += ($k - $(k + 14))^2 } } END { print (t > 0) (t < m / 4) (sqrt(m / NR) < 3e-6) }'; rm a--* b",
     0, "111\n", ""},
    {N "--galaxies=301 --seed=5 --steps=1 --dt=0.01 --out=a --time | grep -c energy && wc -l < a && rm a", 0,
     "1\n302\n", "bodies in"},
    {N "--galaxies=300 --seed=5 --steps=0 --out=a && " N "--galaxies=300 --seed=5 --steps=0 --out=b && " N
       "--galaxies=300 --seed=6 "
       "--steps=0 --out=c && cmp a b && ! cmp -s a c && rm a b c",
     0, "", ""},
    /* A run that stops on the way, and goes on, twice. */
    {N "--plummer=300 --steps=7 --dt=0.01 --theta=0.7 --softening=0.05 --out=all > whole && " N
       "--plummer=300 --steps=2 --dt=0.01 "
       "--theta=0.7 --softening=0.05 --checkpoint=run > a && " N
       "--resume=run --steps=5 --checkpoint=run --every=2 > a && " N
       "--resume=run --steps=7 --out=parts > b && cmp all parts && cmp whole b && " N
       "--resume=run --steps=5 --out=- > a && rm all "
       "parts run a b whole",
     0, "", NULL},
    {N "--bodies=flat.csv --steps=2 --dt=0.5 --checkpoint=run > a && " N "--resume=run --steps=4 --out=a > b && " N
       "--bodies=flat.csv --steps=4 --dt=0.5 --out=c > d && cmp a c && cmp b d && rm run a b c d",
     0, "", ""},
};

/* ---- what runs begin with ---- */

#define ROWS "| awk -F, 'NR > 1 { "
static const command_line starts[] = {
    /* The drift is relative to the energy at the start, which a step of no length tells. */
    {N "--plummer=300 --steps=1 --dt=0 --out=a > b && " N "--plummer=300 --steps=5 --dt=0.2 --out=a >> b && "
       "awk 'NR == 1 { from = $8 } NR == 2 { off = ($8 - from) / from; print ($10^2 > 1e-12) (off^2 < 1.02 * $10^2) "
       "(off^2 > 0.98 * $10^2) }' b && rm a b",
     0, "111\n", ""},
    /* Both kinds begin at rest about the origin. */
    {"for what in plummer galaxies; do " N "--$what=150 --steps=0 --out=- " ROWS
     "for (k = 2; k <= 7; k++) s[k] += $k } END { for (k = 2; k <= 7; k++) most = s[k]^2 > most ? s[k]^2 : most; "
     "print most < 1e-20 }'; done",
     0, "1\n1\n", ""},
    /* The bodies of a disk go round in its plane, which is tilted about the x axis: the tangent of 0.45, and of -0.9. */
    {N
     "--galaxies=2000 --steps=0 --out=- " ROWS
     "if ((NR - 2) % 10 > 2) { g = NR > 1001; n[g]++; for (k = 2; k <= 7; k++) { v[g, NR, k] = $k; s[g, k] += $k } } } END { "
     "for (g = 0; g < 2; g++) { y = z = 0; for (i = 2; i < 2002; i++) if ((g, i, 2) in v) { "
     "for (k = 2; k <= 7; k++) d[k] = v[g, i, k] - s[g, k] / n[g]; "
     "y += d[4] * d[5] - d[2] * d[7]; z += d[2] * d[6] - d[3] * d[5] } printf \"%.1f \", -y / z } }'",
     0, "0.5 -1.3 ", ""},
};

static void begins(void **state) {
    (void)state;
    if (on_gpu()) return; /* the host's matter */
    CHECK_COMMANDS("cli_nbody", starts);
    expect(files_in_folder() == FILES);
}

/* ---- what is refused ---- */

#define CSV(text) "printf '" text "' | " N "--bodies=- --steps=1 --dt=1 --out=a"
#define H "mass,x,y,z,vx,vy,vz\\n"
static const command_line refusals[] = {
    {N "--steps=1 --dt=1 --out=a", 2, "", "--bodies=F.csv, --plummer=N, --galaxies=N or --resume=F is missing"},
    {N "--plummer=5 --bodies=two.csv --steps=1 --dt=1 --out=a", 2, "", "only one of them"},
    {N "--plummer=5 --dt=1 --out=a", 2, "", "--steps=K is missing"},
    {N "--plummer=5 --steps=1 --out=a", 2, "", "--dt=S is missing"},
    {N "--plummer=5 --steps=1 --dt=1", 2, "", "--out=F.csv is missing"},
    {N "--plummer=0 --steps=1 --dt=1 --out=a", 2, "", "--plummer=0: is not a number from 1"},
    {N "--plummer=5 --steps=-1 --dt=1 --out=a", 2, "", "--steps=-1"},
    {N "--plummer=5 --steps=1 --dt=inf --out=a", 2, "", "--dt=inf: is not a number"},
    {N "--plummer=5 --steps=1 --dt=1 --theta=-0.5 --out=a", 2, "", "--theta=-0.5: is below 0"},
    {N "--plummer=5 --steps=1 --dt=1 --softening=x --out=a", 2, "", "--softening=x: is not a number"},
    {N "--plummer=5 --steps=1 --dt=1 --method=fmm --out=a", 2, "", "not one of auto, tree"},
    {N "--plummer=5 --steps=1 --dt=1 --out=a.npy", 2, "", "a.npy: none of these files can be .npy"},
    {N "--plummer=5 --steps=1 --dt=1 --out=a extra", 2, "", "'extra' is one argument too many"},
    {N "--plummer=5 --steps=1 --dt=1 --out=a --every=3", 2, "", "--every needs --png or --checkpoint"},
    {N "--resume=a --dt=1 --steps=1 --out=a", 2, "", "come from the checkpoint"},
    {N "--bodies=missing.csv --steps=1 --dt=1 --out=a", 1, "", "missing.csv"},
    {N "--bodies=short.csv --steps=1 --dt=1 --out=a", 1, "", "short.csv: row 3: has 3 fields, and row 1 has 7"},
    {CSV(""), 1, "", "the header mass,x,y,z,vx,vy,vz is missing"},
    {CSV("mass,x,y,z,vx,vy,vz,color\\n"), 1, "", "column 8 is 'color', and columns are mass, x"},
    {CSV("mass,x,y,z,vx,vy\\n"), 1, "", "the column 'vz' is missing"},
    {CSV("mass,x,y,z,vx,vy,x\\n"), 1, "", "two columns are 'x'"},
    {CSV("mass;x;y\\n"), 1, "", "column 1 is 'mass;x;y'"},
    {CSV(H "1,2,3,4,5,6,7,8\\n"), 1, "", "row 2: has 8 fields, and row 1 has 7"},
    {CSV(H "1,2,3,4,5,6,seven\\n"), 1, "", "row 2, vz: 'seven' is not a number"},
    {CSV(H "1,2,nan,4,5,6,7\\n"), 1, "", "row 2, y: 'nan' is not finite"},
    {CSV(H "1,2,3,4,5,-inf,7\\n"), 1, "", "row 2, vy: '-inf' is not finite"},
    {CSV(H "1,2,3,4,5,6,7\\n1,2,,4,5,6,7\\n"), 1, "", "row 3, y: '' is not a number"},
    {CSV(H "1,2,3,4,5,6,7\\n\\n1,2,3,4,5,6,7\\n"), 1, "", "row 3, mass: '' is not a number"},
    {CSV(H "1,2,3,4,5,6,7\\n1,2,3e200,4,5,6,7\\n"), 1, "", "body 1 has y 3e+200"},
    {CSV(H "1,2,3,4,5,6\\0,7\\n"), 1, "", "row 2, vy: '6"},
    {CSV(H "1,0,0,0,0,1e149,0\\n") " --steps=40", 1, "", "after step 1 body 0 has y"},
    {N "--plummer=5 --steps=1 --dt=1 --out=/dev/full", 1, NULL, "/dev/full"},
    {N "--plummer=5 --steps=1 --dt=1 --out=a > /dev/full && rm a; rm a; exit 1", 1, "",
     "standard output cannot be written"},
    {"ulimit -f 1; " N "--plummer=500 --steps=2 --dt=0.1 --every=1 --checkpoint=a", 1, "", "a: "},
    {N "--bodies=two.csv --steps=1 --dt=1 --out=a --checkpoint=./a", 1, "", "a"},
    {"printf 12345678 > a; " N "--resume=a --steps=1 --out=b; s=$?; rm a; exit $s", 1, "", "a: is not a checkpoint"},
    {N "--plummer=9 --steps=2 --dt=1 --checkpoint=a > b && rm b && truncate -s -8 a; " N
       "--resume=a --steps=3 --out=b; s=$?; rm a; exit $s",
     1, "", "says that it has 9 bodies, and has"},
    {N "--plummer=9 --steps=2 --dt=1 --checkpoint=a > b && rm b && printf 12345678 >> a; " N
       "--resume=a --steps=3 --out=b; s=$?; rm a; exit $s",
     1, "", "says that it has 9 bodies, and has 704 bytes"},
    {N
     "--plummer=9 --steps=2 --dt=1 --checkpoint=a > b && rm b && printf x | dd of=a bs=1 seek=250 conv=notrunc 2> b && rm b; " N
     "--resume=a --steps=3 --out=b; s=$?; rm a; exit $s",
     1, "", "its checksum does not match"},
    {N "--plummer=9 --steps=2 --dt=1 --checkpoint=a > b && rm b; " N
       "--resume=a --steps=1 --out=b; s=$?; rm a; exit $s",
     1, "", "a: has done 2 steps, and --steps=1"},
};

static void computes(void **state) {
    (void)state;
    CHECK_COMMANDS("cli_nbody", results);
    expect(files_in_folder() == FILES);
}

static void refuses(void **state) {
    (void)state;
    if (on_gpu()) return; /* the host's matter */
    CHECK_COMMANDS("cli_nbody", refusals);
    expect(files_in_folder() == FILES);
}

/* ---- pictures ---- */

/* Signature, header and end of a picture of so many pixels. */
static const command_line pictures[] = {
#ifdef WARPWISE_PNG
    {N
     "--plummer=500 --steps=4 --dt=0.01 --png=p.png --every=2 --pixels=64 > a && for f in p-000000 p-000002 p-000004; do head -c 24 "
     "$f.png | od -An -v -tx1 | tr -d '\\n' && tail -c 12 $f.png | tail -c +5 | head -c 4 && echo; done && rm a p-*.png",
     0,
     " 89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52 00 00 00 40 00 00 00 40IEND\n"
     " 89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52 00 00 00 40 00 00 00 40IEND\n"
     " 89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52 00 00 00 40 00 00 00 40IEND\n",
     ""},
    /* A disk that fills while frames are written: those that were whole stay, of the one at hand nothing does. */
    {N
     "--plummer=500 --steps=4 --dt=0.01 --png=p.png --every=2 --pixels=64 > a && rm a p-000002.png p-000004.png && "
     "(export GCOV_PREFIX=/proc/none; ulimit -f 1; " N
     "--plummer=500 --steps=4 --dt=0.01 --png=p.png --every=2 --pixels=256); s=$?; head -c 24 p-000000.png | tail -c 1 | od -An -tx1; "
     "rm p-000000.png; exit $s",
     1, " 40\n", "p-000000.png: cannot be written after"},
    {N "--bodies=flat.csv --steps=0 --png=p --pixels=32 --view=2 && " N
       "--bodies=none.csv --steps=0 --png=q --pixels=32 && ! cmp -s p q && " N
       "--bodies=flat.csv --steps=0 --png=q --pixels=32 --view=4 && ! cmp -s p q && rm p q",
     0, "", ""},
    /* What 95 of 100 are in, and 1.3 times that, is shown, which a checkpoint keeps; another view may be asked for. */
    {N "--bodies=flat.csv --steps=0 --png=p --pixels=32 --checkpoint=run && od -An -j72 -N8 -tf8 run | tr -d ' ' && " N
       "--resume=run --steps=0 --png=q --pixels=32 && cmp p q && " N
       "--resume=run --steps=0 --png=q --pixels=32 --view=0.5 && ! cmp -s p q && " N
       "--bodies=flat.csv --steps=0 --png=p --pixels=32 --view=3 --checkpoint=run && " N
       "--resume=run --steps=0 --png=q --pixels=32 && cmp p q && rm p q run",
     0, "1.625\n", ""},
    /* The second frame does not fit on the disk: the first is there, and nothing of the second. */
    {N
     "--plummer=9 --steps=1 --dt=1 --pixels=512 --png=a.png --every=1 > b; rm b; n=$(wc -c < a-000000.png); rm a-*; (export GCOV_PREFIX=/proc/none; "
     "ulimit -f 1; " N "--plummer=900 --steps=2 --dt=1 --pixels=512 --png=a.png --every=1; echo $?); ls a* | wc -l",
     0, "1\n0\n", "a-000000.png"},
    {N "--plummer=5 --steps=0 --png=p.png --pixels=9", 2, "", "--pixels=9: is not a number from 16"},
    {N "--plummer=5 --steps=0 --png=p.png --view=0", 2, "", "--view=0: shows nothing"},
    {N "--plummer=5 --steps=0 --png=-", 2, "", "a picture needs a name"},
#else
    {N "--plummer=5 --steps=0 --png=p.png", 2, "", "this build has no libpng"},
#endif
};

#ifdef WARPWISE_PNG
/* One body right of the middle and above it: that is where the light is. */
static void check_place_of_light(void) {
    enum { PIXELS = 32 };
    const command_line draw = {"printf 'mass,x,y,vx,vy\\n1,1,0.5,0,0\\n' | " N
                               "--bodies=- --steps=0 --png=p.png --pixels=32 --view=2",
                               0, "", ""};
    static unsigned char light[PIXELS * PIXELS];
    size_t brightest = 0;
    png_image image;
    if (!CHECK_COMMAND("cli_nbody", &draw)) return;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    expect(png_image_begin_read_from_file(&image, "p.png") && image.width == PIXELS && image.height == PIXELS);
    image.format = PNG_FORMAT_GRAY;
    expect(png_image_finish_read(&image, NULL, light, 0, NULL));
    for (size_t i = 0; i < PIXELS * PIXELS; i++)
        if (light[i] > light[brightest]) brightest = i;
    /* 15.5 + 1 * 8 and 15.5 - 0.5 * 8: the light falls on the two pixels beside these. */
    expect(brightest % PIXELS == 23 || brightest % PIXELS == 24);
    expect(brightest / PIXELS == 11 || brightest / PIXELS == 12);
    expect(remove("p.png") == 0);
}
#endif

static void draws(void **state) {
    (void)state;
    if (on_gpu()) return;
    CHECK_COMMANDS("cli_nbody", pictures);
#ifdef WARPWISE_PNG
    check_place_of_light();
#endif
    expect(files_in_folder() == FILES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(computes), cmocka_unit_test(begins), cmocka_unit_test(refuses),
                                       cmocka_unit_test(draws)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
#endif
