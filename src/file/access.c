/* In this order: the owner and the group; the ACL (under its name as an extended attribute, which is all that acl_set_fd does);
 * the user's attributes; the permissions last, until when nobody but the owner can open the file.
 *
 * What the system refuses is not kept, and then others may do less than before, never more: without the old group its
 * members get what everybody has, without the old ACL only the owner keeps what he had (the group's bits are then a
 * mask, and say nothing of the group). setuid and setgid bits are not kept: a program is not what its file held before. */
#include "file/access.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ACL "system.posix_acl_access"

enum { PERMISSIONS = 0777 };

/* Not ours to do, or not there to be done; other errors are the system's failing. */
static bool is_refusal(int problem) {
    return problem == EPERM || problem == EACCES || problem == EOPNOTSUPP || problem == ENOSYS || problem == EINVAL;
}

static ww_status fail_with(const ww__transfer *t, const char *what) {
    return ww__fail(t->device, WW_FILE, "%.200s: cannot have the old file's %.100s: %s", t->name, what,
                    strerror(errno));
}

mode_t ww__mode_of_new(int folder) {
    struct stat status;
    const int probe = openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC,
                             0666); /* has no name, and is gone when closed */
    if (probe < 0) return WW__MODE_UNKNOWN;
    const bool known = fstat(probe, &status) == 0;
    close(probe);
    return known ? status.st_mode & PERMISSIONS : WW__MODE_UNKNOWN;
}

static ww_status copy_owner(const ww__transfer *t, const struct stat *old, int fd, bool *group_kept) {
    struct stat now;
    *group_kept = true;
    if (fstat(fd, &now)) return fail_with(t, "owner");
    if (now.st_uid == old->st_uid && now.st_gid == old->st_gid) return WW_OK;
    if (fchown(fd, old->st_uid, old->st_gid) == 0) return WW_OK;
    if (!is_refusal(errno)) return fail_with(t, "owner");
    if (now.st_gid == old->st_gid || fchown(fd, (uid_t)-1, old->st_gid) == 0) return WW_OK;
    if (!is_refusal(errno)) return fail_with(t, "group");
    *group_kept = false;
    return WW_OK;
}

/* The old file's and the new one's attributes, and memory for a value. */
typedef struct attributes {
    const ww__transfer *transfer;
    int old, fd;
    void *value;
} attributes;

/* *bytes is -1, with errno, where there is none to be had. */
static ww_status read_attribute(attributes *a, const char *name, ssize_t *bytes) {
    *bytes = fgetxattr(a->old, name, NULL, 0);
    if (*bytes < 0) return WW_OK;
    if (!a->value) WW_TRY(ww__host_scratch(a->transfer->device, XATTR_SIZE_MAX, &a->value));
    *bytes = fgetxattr(a->old, name, a->value, XATTR_SIZE_MAX);
    return WW_OK;
}

static bool has_none(int problem) { return problem == ENODATA || problem == EOPNOTSUPP || problem == ENOSYS; }

/* What the folder gives to all its files goes, too, when the old file did not have it. */
static ww_status copy_acl(attributes *a, bool group_kept, bool *kept) {
    ssize_t bytes = -1;
    errno = EACCES;
    if (a->old >= 0) WW_TRY(read_attribute(a, ACL, &bytes));
    *kept = bytes < 0 && has_none(errno);
    if (bytes >= 0 && group_kept) {
        if (fsetxattr(a->fd, ACL, a->value, (size_t)bytes, 0) == 0) {
            *kept = true;
            return WW_OK;
        }
        if (!is_refusal(errno)) return fail_with(a->transfer, "access control list");
    }
    if (fremovexattr(a->fd, ACL) && !has_none(errno)) return fail_with(a->transfer, "access control list");
    return WW_OK;
}

static ww_status copy_attribute(attributes *a, const char *name) {
    ssize_t bytes;
    WW_TRY(read_attribute(a, name, &bytes));
    if (bytes < 0) return has_none(errno) || is_refusal(errno) ? WW_OK : fail_with(a->transfer, name);
    if (fsetxattr(a->fd, name, a->value, (size_t)bytes, 0) == 0 || is_refusal(errno)) return WW_OK;
    return fail_with(a->transfer, name);
}

static ww_status copy_attributes(attributes *a) {
    char *names;
    ssize_t bytes = a->old < 0 ? 0 : flistxattr(a->old, NULL, 0);
    if (bytes <= 0) return WW_OK;
    const size_t room = (size_t)bytes;
    WW_TRY(ww__host_scratch(a->transfer->device, room, &names));
    bytes = flistxattr(a->old, names, room);
    for (ssize_t at = 0; at < bytes; at += (ssize_t)strlen(names + at) + 1) {
        const char *name = names + at;
        if (strncmp(name, "user.", 5) != 0 && strcmp(name, "security.selinux") != 0) continue;
        WW_TRY(copy_attribute(a, name));
    }
    return WW_OK;
}

ww_status ww__access_copy(const ww__transfer *t, int old, const struct stat *status, int fd) {
    struct stat now;
    bool group_kept, acl_kept;
    mode_t mode = status->st_mode & PERMISSIONS;
    attributes a = {t, old, fd, NULL};
    WW_TRY(copy_owner(t, status, fd, &group_kept));
    WW_TRY(copy_acl(&a, group_kept, &acl_kept));
    WW_TRY(copy_attributes(&a));
    if (!acl_kept) mode &= S_IRWXU;
    if (!group_kept) mode &= S_IRWXU | S_IRWXO | (mode & S_IRWXO) << 3;
    if (fchmod(fd, mode) == 0) return WW_OK;
    const int problem = errno; /* some file systems refuse it always */
    if (fstat(fd, &now) == 0 && (now.st_mode & 07777) == mode) return WW_OK;
    errno = problem;
    return fail_with(t, "permissions");
}
