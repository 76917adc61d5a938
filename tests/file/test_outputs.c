/* Files that are written: who may read them meanwhile and afterwards, what they keep of the file whose place they take, which
 * descriptors are used, what killed processes leave; and files that change while they are read. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "support/cases.h"

#define ACL "system.posix_acl_access"
#define DEFAULT_ACL "system.posix_acl_default"

static char folder[200];
static ww_device *device;
static uint8_t data[] = {7, 8, 9};
#define DATA ww_memory(data, 3)

static void put(const char *name, const void *bytes, size_t length) {
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

/* A file that holds "before", with a mode. */
static void put_old(const char *name, mode_t mode) {
    unlink(name);
    put(name, "before", 6);
    assert_int_equal(chmod(name, mode), 0);
}

static bool holds(const char *name, const void *bytes, size_t length) {
    char got[64];
    FILE *f = fopen(name, "rb");
    if (!f) return false;
    const size_t n = fread(got, 1, sizeof got, f);
    fclose(f);
    return n == length && memcmp(got, bytes, n) == 0;
}

static struct stat status_of(const char *name) {
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    return status;
}

static mode_t mode_of(const char *name) { return status_of(name).st_mode & 07777; }

/* How many files there are, and the name of one that is temporary ("": there is none). */
static size_t files_there(char temporary[256]) {
    size_t n = 0;
    DIR *d = opendir(".");
    assert_non_null(d);
    temporary[0] = '\0';
    for (struct dirent *e; (e = readdir(d));) {
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
        if (strncmp(e->d_name, ".warpwise", 9) == 0) snprintf(temporary, 256, "%s", e->d_name);
    }
    closedir(d);
    return n;
}

static bool no_temporary(void) {
    char temporary[256];
    files_there(temporary);
    return !*temporary;
}

static void write_with(const char *name, bool (*progress)(void *, const char *, uint64_t, uint64_t), void *context) {
    ww_file_options options = WW_FILE_OPTIONS;
    const ww_file_output output = {name, DATA};
    options.progress = progress;
    options.context = context;
    expect_status(device, ww_file_write_all(device, &output, 1, &options), WW_OK);
}

/* ---- while it is written ---- */

static bool see_mode(void *context, const char *path, uint64_t done, uint64_t total) {
    char temporary[256];
    (void)path;
    (void)total;
    files_there(temporary);
    mode_t *mode = context;
    if (*temporary && done == 0) *mode |= mode_of(temporary) | 01000; /* of which bits it had at any time */
    return true;
}

static void nobody_sees_what_is_not_whole(void **state) {
    (void)state;
    static const mode_t modes[] = {0600, 0644, 0666, 0400, 04755};
    const mode_t mask = umask(0);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        mode_t seen = 0;
        CASE("outputs", "temporary of a file with mode %o", (unsigned)modes[i]);
        if (!case_wanted() || (modes[i] == 0400 && geteuid())) continue;
        put_old("x", modes[i]);
        write_with("x", see_mode, &seen);
        expect(seen == (01000 | 0600));
    }
    CASE("outputs", "temporary of a new file");
    mode_t seen = 0;
    unlink("x");
    umask(022);
    const int nameless = open(".", O_WRONLY | O_TMPFILE, 0600);
    if (nameless < 0) left_out("a new file that nobody may open while it is written (O_TMPFILE: %s)", strerror(errno));
    write_with("x", see_mode, &seen);
    expect(seen == (01000 | (nameless < 0 ? 0644 : 0600)) && mode_of("x") == 0644);
    if (nameless >= 0) close(nameless);
    umask(mask);
    unlink("x");
}

/* ---- what is kept ---- */

static void keeps_modes(void **state) {
    (void)state;
    static const struct {
        mode_t old, new;
    } modes[] = {{0640, 0640},  {0777, 0777}, {06755, 0755}, {04711, 0711},
                 {02664, 0664}, {0600, 0600}, {0, 0},        {0444, 0444}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        CASE("outputs", "mode %o", (unsigned)modes[i].old);
        if (!case_wanted()) continue;
        if (geteuid() && !(modes[i].old & 0200)) {
            left_out("a file of mode %o (only root may write it)", (unsigned)modes[i].old);
            continue;
        }
        put_old("x", modes[i].old);
        expect_status(device, ww_file_write(device, "x", DATA), WW_OK);
        expect(mode_of("x") == modes[i].new);
    }
    unlink("x");
}

/* What a user does who may write a file that is another's. False, with a line that says why: nobody can be made. */
static bool write_as_nobody(const char *name) {
    enum { NOT_ALLOWED = 9 };
    int status;
    const pid_t child = fork();
    if (child == 0) {
        ww_device *own;
        if (setgroups(0, NULL) || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534)) _exit(NOT_ALLOWED);
        if (ww_open("cpu:threads=1", &own)) _exit(8);
        const ww_status written = ww_file_write(own, name, DATA);
        ww_close(own);
        _exit(written ? 1 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_ALLOWED) {
        left_out("files written by another user (this process may not become one)");
        return false;
    }
    expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return true;
}

/* The entries of an access control list as the system keeps them. */
typedef struct acl_entry {
    uint16_t tag, permissions;
    uint32_t id;
} acl_entry;
typedef struct acl {
    uint32_t version;
    acl_entry entry[5];
} acl;
enum { OWNER = 1, USER = 2, GROUP = 4, MASK = 0x10, OTHERS = 0x20, NO_ID = -1 };

/* The user 1234 may read and write, the group nothing. */
static const acl one_user = {2,
                             {{OWNER, 6, (uint32_t)NO_ID},
                              {USER, 6, 1234},
                              {GROUP, 0, (uint32_t)NO_ID},
                              {MASK, 6, (uint32_t)NO_ID},
                              {OTHERS, 2, (uint32_t)NO_ID}}};

static bool acls_work(void) {
    put_old("x", 0600);
    const bool work = setxattr("x", ACL, &one_user, sizeof one_user, 0) == 0;
    if (!work) left_out("access control lists (%s)", strerror(errno));
    unlink("x");
    return work;
}

static bool make_anothers(const char *name, mode_t mode) {
    put_old(name, mode);
    if (chown(name, 1234, 2345) == 0 && chmod(name, mode) == 0) return true;
    left_out("files of other owners (%s)", strerror(errno));
    unlink(name);
    return false;
}

static void keeps_owners(void **state) {
    (void)state;
    CASE("outputs", "owner and group");
    if (!make_anothers("x", 06664)) return;
    expect_status(device, ww_file_write(device, "x", DATA), WW_OK);
    const struct stat after = status_of("x");
    expect(after.st_uid == 1234 && after.st_gid == 2345 && (after.st_mode & 07777) == 0664);
    unlink("x");
}

static void gives_nobody_more(void **state) {
    (void)state;
    CASE("outputs", "written by another user");
    assert_int_equal(chmod(".", 0777), 0);
    if (!make_anothers("x", 06662)) return;
    if (write_as_nobody("x")) {
        const struct stat after = status_of("x");
        expect(after.st_uid == 65534 && after.st_gid == 65534 && (after.st_mode & 07777) == 0622);
    }
    unlink("x");
    if (!acls_work() || !make_anothers("x", 0600)) return;
    assert_int_equal(setxattr("x", ACL, &one_user, sizeof one_user, 0), 0);
    expect(mode_of("x") == 0662);
    if (write_as_nobody("x")) expect(mode_of("x") == 0600 && getxattr("x", ACL, NULL, 0) < 0);
    unlink("x");
}

static void keeps_acls(void **state) {
    (void)state;
    acl got;
    CASE("outputs", "access control lists");
    if (!acls_work()) return;
    put_old("x", 0600);
    assert_int_equal(setxattr("x", ACL, &one_user, sizeof one_user, 0), 0);
    expect_status(device, ww_file_write(device, "x", DATA), WW_OK);
    expect(getxattr("x", ACL, &got, sizeof got) == sizeof got);
    expect_bytes(&got, &one_user, sizeof got);
    expect(mode_of("x") == 0662 && holds("x", data, 3));
    unlink("x");
}

/* A folder gives its files a list: a new one has it, as open would have made it; one that took it off stays without. */
static void follows_default_acls(void **state) {
    (void)state;
    acl made, got;
    CASE("outputs", "a folder's default list");
    if (!acls_work()) return;
    assert_int_equal(mkdir("inside", 0777), 0);
    assert_int_equal(setxattr("inside", DEFAULT_ACL, &one_user, sizeof one_user, 0), 0);
    const int fd = open("inside/made", O_WRONLY | O_CREAT, 0666);
    close(fd);
    expect_status(device, ww_file_write(device, "inside/new", DATA), WW_OK);
    expect(getxattr("inside/made", ACL, &made, sizeof made) == sizeof made);
    expect(getxattr("inside/new", ACL, &got, sizeof got) == sizeof got);
    expect_bytes(&got, &made, sizeof got);
    expect(mode_of("inside/new") == mode_of("inside/made"));

    put_old("inside/old", 0600);
    assert_int_equal(removexattr("inside/old", ACL), 0);
    assert_int_equal(chmod("inside/old", 0640), 0);
    expect_status(device, ww_file_write(device, "inside/old", DATA), WW_OK);
    expect(getxattr("inside/old", ACL, NULL, 0) < 0 && mode_of("inside/old") == 0640);
    unlink("inside/made");
    unlink("inside/new");
    unlink("inside/old");
    assert_int_equal(rmdir("inside"), 0);
}

static void keeps_attributes(void **state) {
    (void)state;
    char value[16] = "";
    CASE("outputs", "user attributes");
    put_old("x", 0644);
    if (setxattr("x", "user.origin", "here", 4, 0) || setxattr("x", "user.empty", "", 0, 0)) {
        left_out("user attributes (%s)", strerror(errno));
    } else {
        expect_status(device, ww_file_write(device, "x", DATA), WW_OK);
        expect(getxattr("x", "user.origin", value, sizeof value) == 4 && memcmp(value, "here", 4) == 0);
        expect(getxattr("x", "user.empty", value, sizeof value) == 0);
    }
    unlink("x");
}

/* As file.h says: the other names keep what the file held. */
static void cuts_hard_links(void **state) {
    (void)state;
    CASE("outputs", "hard links");
    put_old("x", 0644);
    assert_int_equal(link("x", "other"), 0);
    expect_status(device, ww_file_write(device, "x", DATA), WW_OK);
    expect(holds("x", data, 3) && holds("other", "before", 6) && status_of("x").st_nlink == 1);
    unlink("x");
    unlink("other");
}

/* ---- several ---- */

static void refuses_one_file_twice(void **state) {
    (void)state;
    static const char *const names[][2] = {{"o", "o"},      {"o", "./o"},     {"o", "here/o"},     {"here/../o", "o"},
                                           {"old", "link"}, {"old", "other"}, {"link", "here/old"}};
    put_old("old", 0644);
    assert_int_equal(symlink(".", "here"), 0);
    assert_int_equal(symlink("old", "link"), 0);
    assert_int_equal(link("old", "other"), 0);
    /* A link to this folder itself leads to it, too. */
    char up[300];
    snprintf(up, sizeof up, "here/../%s/o", strrchr(folder, '/') + 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        CASE("outputs", "one file: %s and %s", names[i][0], names[i][1]);
        if (!case_wanted()) continue;
        const ww_file_output both[] = {{strcmp(names[i][0], "here/../o") ? names[i][0] : up, DATA},
                                       {names[i][1], DATA}};
        expect_status(device, ww_file_write_all(device, both, 2, NULL), WW_INVALID);
        expect_sentence(device, "outputs[0] and outputs[1] would be one file", names[i][1]);
        expect(access("o", F_OK) && holds("old", "before", 6) && no_temporary());
    }
    CASE("outputs", "two files of one name in two folders");
    assert_int_equal(mkdir("inside", 0777), 0);
    const ww_file_output two[] = {{"o", DATA}, {"inside/o", DATA}, {"/dev/null", DATA}, {"/dev/null", DATA}};
    expect_status(device, ww_file_write_all(device, two, 4, NULL), WW_OK);
    expect(holds("o", data, 3) && holds("inside/o", data, 3));
    static const char *const made[] = {"o", "inside/o", "old", "link", "other", "here"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) unlink(made[i]);
    rmdir("inside");
}

/* ---- descriptors ---- */

static void writes_to_descriptors(void **state) {
    (void)state;
    char path[40];
    CASE("outputs", "/dev/fd of a file, a pipe, and none");
    put("x", "one", 3);
    const int fd = open("x", O_WRONLY | O_APPEND);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    expect_status(device, ww_file_write(device, path, DATA), WW_OK);
    expect(write(fd, "two", 3) == 3 && holds("x", "one\7\10\11two", 9));
    close(fd);
    expect_status(device, ww_file_write(device, path, DATA), WW_FILE);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    static const char *const forms[] = {"/dev/fd/%d", "/proc/self/fd/%d", "/proc/thread-self/fd/%d", "by-link"};
    for (size_t i = 0; i < 4; i++) {
        char got[8];
        snprintf(path, sizeof path, i < 3 ? forms[i] : forms[0], ends[1]);
        if (i == 3) assert_int_equal(symlink(path, "by-link"), 0);
        expect_status(device, ww_file_write(device, i < 3 ? path : "by-link", DATA), WW_OK);
        expect(read(ends[0], got, sizeof got) == 3 && memcmp(got, data, 3) == 0);
    }
    close(ends[0]);
    close(ends[1]);
    unlink("by-link");
    unlink("x");
    expect(no_temporary());
}

static bool see_standard_input(void *context, const char *path, uint64_t done, uint64_t total) {
    (void)path;
    (void)done;
    (void)total;
    *(bool *)context |= fcntl(STDIN_FILENO, F_GETFD) >= 0;
    return true;
}

static void leaves_standard_descriptors(void **state) {
    (void)state;
    bool taken = false;
    ww_file_array file;
    CASE("outputs", "descriptor 0 is closed");
    const int kept = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    write_with("x", see_standard_input, &taken);
    ww_file_options options = WW_FILE_OPTIONS;
    options.progress = see_standard_input;
    options.context = &taken;
    const ww_status status = ww_file_read_with(device, "x", ww_array_of(NULL, 0, &ww_type_uint8_t), &file, &options);
    const bool left = fcntl(STDIN_FILENO, F_GETFD) >= 0;
    dup2(kept, STDIN_FILENO);
    close(kept);
    expect_status(device, status, WW_OK);
    ww_file_release(device, &file);
    expect(!taken && !left);
    unlink("x");
}

/* ---- killed ---- */

static bool kill_at_the_end(void *context, const char *path, uint64_t done, uint64_t total) {
    (void)context;
    (void)path;
    if (done == total) raise(SIGKILL);
    return true;
}

static void killed_while_writing(const char *name) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        ww_device *own;
        ww_file_options options = WW_FILE_OPTIONS;
        const ww_file_output output = {name, DATA};
        options.progress = kill_at_the_end;
        if (!ww_open("cpu:threads=1", &own)) ww_file_write_all(own, &output, 1, &options);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void removes_what_the_killed_left(void **state) {
    (void)state;
    char temporary[256];
    CASE("outputs", "left by a killed process");
    put_old("x", 0644);
    killed_while_writing("x");
    killed_while_writing("y");
    expect(files_there(temporary) == 3 && *temporary && holds("x", "before", 6)); /* one of each */
    expect_status(device, ww_file_write(device, "x", DATA), WW_OK);
    expect(files_there(temporary) == 2 && *temporary && holds("x", data, 3)); /* that of y */
    expect_status(device, ww_file_write(device, "./y", DATA), WW_OK);
    expect(files_there(temporary) == 2 && !*temporary);
    unlink("x");
    unlink("y");
}

typedef struct other_writer {
    ww_device *device;
    size_t calls;
} other_writer;

static bool write_beside(void *context, const char *path, uint64_t done, uint64_t total) {
    other_writer *o = context;
    (void)done;
    (void)total;
    o->calls++;
    if (o->calls == 1) expect_status(o->device, ww_file_write(o->device, path, ww_memory(data, 1)), WW_OK);
    return true;
}

/* The second writer finds the first one's file, whose lock is held, and leaves it; who is later wins. */
static void leaves_what_the_living_write(void **state) {
    (void)state;
    other_writer other = {NULL, 0};
    CASE("outputs", "two write one file");
    assert_int_equal(ww_open("cpu:threads=1", &other.device), WW_OK);
    write_with("x", write_beside, &other);
    expect(other.calls > 1 && holds("x", data, 3) && no_temporary());
    ww_close(other.device);
    unlink("x");
}

/* Things of that name which nobody of us made stay: folders, links, and what they lead to. */
static void leaves_what_is_no_file(void **state) {
    (void)state;
    char temporary[256];
    CASE("outputs", "a link and a folder for a temporary");
    killed_while_writing("x");
    files_there(temporary);
    assert_int_equal(unlink(temporary), 0);
    put_old("victim", 0644);
    assert_int_equal(symlink("victim", temporary), 0);
    expect_status(device, ww_file_write(device, "x", DATA), WW_OK);
    expect(holds("victim", "before", 6) && holds("x", data, 3) && unlink(temporary) == 0);
    assert_int_equal(mkdir(temporary, 0777), 0);
    expect_status(device, ww_file_write(device, "x", DATA), WW_OK);
    expect(rmdir(temporary) == 0 && no_temporary());
    unlink("victim");
    unlink("x");
}

/* ---- read while it changes ---- */

typedef struct cutter {
    const char *name;
    off_t to;
    bool longer; /* and then to its old length */
} cutter;

static bool cut(void *context, const char *path, uint64_t done, uint64_t total) {
    const cutter *c = context;
    (void)path;
    if (done == 0 || done == total) return true;
    expect(truncate(c->name, c->to) == 0);
    if (c->longer) expect(truncate(c->name, (off_t)total) == 0);
    return true;
}

static void refuses_what_shrinks(void **state) {
    (void)state;
    enum { LONG = 20 << 20 };
    static const off_t ends[] = {0, 4, (8 << 20) - 4, 8 << 20, (8 << 20) + 4, LONG - 4};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        ww_file_array file;
        cutter c = {"long", ends[i], false};
        ww_file_options options = WW_FILE_OPTIONS;
        options.progress = cut;
        options.context = &c;
        CASE("outputs", "cut to %ld bytes while it is read", (long)ends[i]);
        if (!case_wanted()) continue;
        put("long", "", 0);
        assert_int_equal(truncate("long", LONG), 0);
        expect_status(device,
                      ww_file_read_with(device, "long", ww_array_of(NULL, 0, &ww_type_uint32_t), &file, &options),
                      WW_FILE);
        expect_sentence(device, "long", "shrank while it was read");
        expect(file.array.data == NULL);
    }
    unlink("long");
}

/* ---- options ---- */

static void takes_older_options(void **state) {
    (void)state;
    ww_file_options options = WW_FILE_OPTIONS;
    const ww_file_output output = {"x", DATA};
    CASE("outputs", "options without `durable`, and with");
    options.size = offsetof(ww_file_options, durable);
    expect_status(device, ww_file_write_all(device, &output, 1, &options), WW_OK);
    options.size = sizeof options;
    options.durable = true;
    expect_status(device, ww_file_write_all(device, &output, 1, &options), WW_OK);
    const ww_file_output others[] = {{"/dev/null", DATA}, {"x", DATA}};
    expect_status(device, ww_file_write_all(device, others, 2, &options), WW_OK);
    expect(holds("x", data, 3) && no_temporary());
    unlink("x");
}

static int set_up(void **state) {
    (void)state;
    umask(022);
    if (!folder_make(folder, sizeof folder, "outputs") || chdir(folder)) return -1;
    return ww_open("cpu:threads=2", &device) != WW_OK;
}

static int tear_down(void **state) {
    (void)state;
    ww_close(device);
    if (chdir("/") || rmdir(folder)) fprintf(stderr, "%s: is not empty\n", folder);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_sees_what_is_not_whole),
        cmocka_unit_test(keeps_modes),
        cmocka_unit_test(keeps_owners),
        cmocka_unit_test(gives_nobody_more),
        cmocka_unit_test(keeps_acls),
        cmocka_unit_test(follows_default_acls),
        cmocka_unit_test(keeps_attributes),
        cmocka_unit_test(cuts_hard_links),
        cmocka_unit_test(refuses_one_file_twice),
        cmocka_unit_test(writes_to_descriptors),
        cmocka_unit_test(leaves_standard_descriptors),
        cmocka_unit_test(removes_what_the_killed_left),
        cmocka_unit_test(leaves_what_the_living_write),
        cmocka_unit_test(leaves_what_is_no_file),
        cmocka_unit_test(refuses_what_shrinks),
        cmocka_unit_test(takes_older_options),
    };
    return cmocka_run_group_tests_name("outputs", tests, set_up, tear_down);
}
