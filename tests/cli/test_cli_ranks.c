/* warpwise sort, reduce and histogram with --group=mpi, started by the mpirun of each MPI that is here: the same bytes as one process,
 * one sentence and one exit status where something is wrong, and no file left by a rank that fails or is killed. */
#include <stdio.h>

#include "support/command.h"

#if !defined WARPWISE_COMMAND || !defined WARPWISE_MPIRUNS
int main(void) {
    left_out("the command is not built, there is no MPI, or a sanitizer would look at what MPI does");
    return 0;
}
#else

static const struct { const char *name, *mpirun, *other; } launchers[] = {WARPWISE_MPIRUNS};
enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

static const char *const files[] = {"keys", "keys.npy", "values", "old", "odd"};
enum { FILES = sizeof files / sizeof files[0], KEYS = 10007 };

static int set_up(void **state) {
    (void)state;
    static uint32_t keys[KEYS];
    static uint64_t values[KEYS];
    if (!commands_begin("cli-ranks", located(WARPWISE_COMMAND), "cpu")) return -1;
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1); /* which Open MPI wants to be told twice */
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    /* In a container, which may keep a process from reading another one's memory, or beside a network that cannot be used Open MPI prints
     * lines of its own. Ranks of one machine need neither. */
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    setenv("OMPI_MCA_pml", "ob1", 1);
    setenv("OMPI_MCA_btl", "self,vader", 1);
    setenv("WARPWISE_MPI_PIECE", "4096", 1);
    setenv("FAILS", located(WARPWISE_FAILING_CALLS), 1);
    fill(keys, &ww_type_uint32_t, 4, KEYS, SKEWED, seed_of_run());
    for (size_t i = 0; i < KEYS; i++) values[i] = i;
    file_put("keys", keys, sizeof keys);
    file_put("values", values, sizeof values);
    file_put("old", "before", 6);
    file_put("odd", keys, 401);
    return command_run("\"$W\" convert --from=raw --type=u32 --to=npy keys keys.npy");
}

static int tear_down(void **state) {
    (void)state;
    commands_end(files, FILES);
    return 0;
}

static void launch_by(size_t launcher) { setenv("M", launchers[launcher].mpirun, 1); }

/* Lines in which N is a number of ranks. */
static void same_bytes(void **state) {
    (void)state;
    static const char *const lines[] = {
        "\"$W\" sort --type=u32 keys a; $M -n N \"$W\" sort --type=u32 --group=mpi keys b && cmp a b; rm a b",
        "\"$W\" sort --descending --type=f64 --values=values --values-type=u64 --values-out=va values a; $M -n N \"$W\" sort "
        "--descending --type=f64 --values=values --values-type=u64 --values-out=vb --group mpi values b && cmp a b && cmp va vb; "
        "rm a b va vb",
        "\"$W\" sort --method=merge keys.npy a.npy; $M -n N \"$W\" sort --group=mpi --method=merge keys.npy b.npy && cmp a.npy b.npy; "
        "rm a.npy b.npy",
        "\"$W\" sort --type=u32 keys a; cp keys b; $M -n N \"$W\" sort --type=u32 --fsync --group=mpi b b && cmp a b; rm a b",
        "\"$W\" sort --type=i16 --bits=2:9 keys a; $M -n N \"$W\" sort --type=i16 --bits=2:9 --group=mpi --device=cpu:threads=1,cpu "
        "keys b && cmp a b; rm a b",
        "printf '' > e; $M -n N \"$W\" sort --type=u32 --group=mpi e b && wc -c < b | grep -qx 0; rm e b",
        "\"$W\" reduce --op=add,min,max,mean --type=f32 keys > a; $M -n N \"$W\" reduce --op=add,min,max,mean --type=f32 "
        "--group=mpi keys < /dev/null > b && cmp a b; rm a b",
        "\"$W\" reduce --op=sum --as=u64 keys.npy > a; $M -n N \"$W\" reduce --op=sum --as=u64 --group=mpi keys.npy < /dev/null > b "
        "&& cmp a b; rm a b",
        "\"$W\" histogram --bins=9 --range=0:256 --type=u8 keys > a; $M -n N \"$W\" histogram --bins=9 --range=0:256 --type=u8 "
        "--group=mpi keys < /dev/null > b && cmp a b; rm a b",
        "\"$W\" histogram --edges=0,7,999999999 keys.npy a.npy 2> ae; $M -n N \"$W\" histogram --edges=0,7,999999999 --group=mpi keys.npy b.npy "
        "2> be; cmp a.npy b.npy && cmp ae be; rm a.npy b.npy ae be"};
    for (size_t m = 0; m < LAUNCHERS; m++) {
        launch_by(m);
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            char line[700];
            const char *at = strstr(lines[i], "-n N ");
            snprintf(line, sizeof line, "%.*s-n %zu %s", (int)(at - lines[i]), lines[i], 1 + (i + m) % 4, at + 5);
            const command_line l = {line, 0, "", ""};
            CHECK_COMMAND(launchers[m].name, &l);
        }
    }
    static const command_line alone = {
        "\"$W\" sort --type=u32 keys a; \"$W\" sort --type=u32 --group=mpi keys b && cmp a b; rm a b", 0, "", ""};
    CHECK_COMMAND("cli ranks", &alone);
    expect(files_in_folder() == FILES || cases_asked());
}

/* mpirun says something of its own when a process fails. */
typedef struct refusal {
    const char *line, *says;
    int status;
} refusal;

static void check_refusal(size_t launcher, const refusal *r) {
    char line[1500], wanted[40];
    launch_by(launcher);
    snprintf(line, sizeof line,
             "%s </dev/null 2>err; S=$?; grep -c '^warpwise' err; grep -c -e '%s' err; rm err; cat old; exit $S",
             r->line, r->says);
    snprintf(wanted, sizeof wanted, "1\n1\nbefore");
    const command_line l = {line, r->status, wanted, ""};
    CHECK_COMMAND(launchers[launcher].name, &l);
}

#define SORT "\"$W\" sort --type=u32 --group=mpi "
#define WITH(failing) "env LD_PRELOAD=\"$FAILS\" FAILING='" failing "' "

static void refused(void **state) {
    (void)state;
    static const refusal lines[] = {
        {"$M -n 3 " SORT "none old", "sort: rank 0: none: cannot be opened: No such file", 1},
        {"$M -n 3 " SORT "odd old", "rank 0: odd: has 401 bytes", 1},
        {"$M -n 3 " SORT "keys no/out", "rank 0: no/out: no file can be made in the folder", 1},
        {"$M -n 3 " SORT "- old", "standard input: is no regular file", 1},
        {"$M -n 3 " SORT "keys /dev/null", "dev/null: is no regular file", 1},
        {"$M -n 3 " SORT "--device=cpu,cpu:threads=x keys old", "sort: rank 1: .*cpu:threads=x", 1},
        {"$M -n 3 " SORT "--bogus keys old", "unrecognized option", 2},
        {"$M -n 3 \"$W\" sort --group=mpi keys old", "keys is raw: --type=T is missing", 2},
        {"\"$W\" sort --group=nccl keys.npy old", "--group=nccl: is not mpi", 2},
        {"$M -n 3 " SORT "--memory=9M keys old", "not with --memory, --index-out or --key", 2},
        {"$M -n 3 " SORT "--values=keys --values-out=old --values-type=u16 keys out", "keys has ", 1},
        {"$M -n 2 " SORT "keys old : -n 1 " SORT "--descending keys old", "rank 2 was given another line than rank 0",
         2},
        {"$M -n 1 " SORT "keys old : -n 1 " SORT "values old", "rank 1 was given another line", 2},
        {"WARPWISE_MPI=/no/such.so $M -n 1 " SORT "keys old",
         "WARPWISE_MPI names no library that can be opened: /no/such.so", 1},
        {"$M -n 3 \"$W\" histogram --group=mpi --type=u8 --bins=3 --range=0:999 keys old", "an end is no.* value of u8",
         2},
    };
    static const refusal failing[] = {
        {"$M -n 2 " SORT "keys old : -n 1 " WITH("pwrite 28 # 0 1") SORT "keys old",
         "rank 2: old: cannot be written at byte .*: No space left", 1},
        {"$M -n 1 " WITH("pwrite 28 # 0 1") SORT "keys old : -n 1 " SORT "keys old",
         "rank 0: old: cannot be written at byte .*: No space left", 1},
        {"$M -n 1 " SORT "keys old : -n 1 " WITH("fsync 5 # 0 1") SORT "keys old",
         "rank 1: old: cannot be forced to the disk: Input", 1},
        {"$M -n 1 " SORT "keys old : -n 1 " WITH("read 5 keys 0 1") SORT "keys old",
         "rank 1: keys: cannot be read at byte", 1},
        {"$M -n 1 " WITH("rename 5 old 0 1") SORT "keys old : -n 1 " SORT "keys old",
         "rank 0: old: the finished file cannot be renamed", 1},
    };
    for (size_t m = 0; m < LAUNCHERS; m++) {
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) check_refusal(m, &lines[i]);
        for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) check_refusal(m, &failing[i]);
        /* A process of one MPI that another one's mpirun started. */
        char line[300];
        if (!launchers[m].other[0]) continue;
        snprintf(line, sizeof line, "WARPWISE_MPI=%s $M -n 2 " SORT "keys old", located(launchers[m].other));
        const refusal other = {line, "2 processes were started, of which .* sees one", 1};
        check_refusal(m, &other);
    }
    expect(files_in_folder() == FILES || cases_asked());
}

/* At its first write: mpirun ends the others, and the old file stays. */
static void killed(void **state) {
    (void)state;
    static const char *const lines[] = {"$M -n 2 " SORT "keys old : -n 1 " WITH("pwrite -9 # 0 1") SORT
                                        "keys old </dev/null >/dev/null 2>&1; cat old; ls -A | wc -l",
                                        "$M -n 1 " WITH("pwrite -9 # 0 1") SORT
                                        "keys old : -n 2 " SORT
                                        "keys old </dev/null >/dev/null 2>&1; cat old; ls -A | wc -l",
                                        "$M -n 2 " SORT "keys old : -n 1 " WITH("pwrite -15 # 0 1") SORT
                                        "keys old </dev/null >/dev/null 2>&1; cat old; ls -A | wc -l"};
    for (size_t m = 0; m < LAUNCHERS; m++) {
        launch_by(m);
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            const command_line l = {lines[i], 0, "before5\n", ""};
            CHECK_COMMAND(launchers[m].name, &l);
        }
    }
    expect(files_in_folder() == FILES || cases_asked());
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bytes), cmocka_unit_test(refused),
                                       cmocka_unit_test(killed)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
#endif
