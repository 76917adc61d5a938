#include "device/emu/folder.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace emu {
namespace {

const char prefix[] = "warpwise-compile-";

int open_folder(int in, const char *name) { return openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC); }

/* What to do with each name in a folder. */
template <class Each> void each_name(int opened, Each each) {
    int again = open_folder(opened, ".");
    DIR *names = again < 0 ? nullptr : fdopendir(again);
    if (!names && again >= 0) close(again);
    if (!names) return;
    while (struct dirent *entry = readdir(names))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) each(entry->d_name);
    closedir(names);
}

void remove_all_in(int opened) {
    each_name(opened, [&](const char *name) {
        if (!unlinkat(opened, name, 0)) return;
        int below = open_folder(opened, name);
        if (below < 0) return;
        remove_all_in(below);
        close(below);
        unlinkat(opened, name, AT_REMOVEDIR);
    });
}

/* Removes folders like ours whose processes hold them no more. */
void remove_left(const std::string &where) {
    int around = open(where.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (around < 0) return;
    each_name(around, [&](const char *name) {
        struct stat s;
        if (strncmp(name, prefix, sizeof prefix - 1)) return;
        int left = open_folder(around, name);
        if (left < 0) return;
        if (!fstat(left, &s) && s.st_uid == geteuid() && !flock(left, LOCK_EX | LOCK_NB)) {
            remove_all_in(left);
            unlinkat(around, name, AT_REMOVEDIR);
        }
        close(left);
    });
    close(around);
}

} // namespace

/* One that was taken for left before it was locked is gone, or locked: then false. */
bool folder::make(const std::string &where) {
    struct stat s;
    path = where + "/" + prefix + "XXXXXX";
    if (!mkdtemp(&path[0])) {
        path.clear();
        return true;
    }
    opened = open_folder(AT_FDCWD, path.c_str());
    if (opened >= 0 && !flock(opened, LOCK_EX | LOCK_NB) && !fstat(opened, &s) && s.st_nlink) return true;
    if (opened >= 0) close(opened);
    opened = -1;
    path.clear();
    return false;
}

/* In a session of its own, so that what ends a whole group of processes, an interrupt from the keyboard for one, leaves it. A
 * compiler that goes on may make another file meanwhile: then once more. */
void folder::watch() {
    static const char script[] =
        "read -r line; tries=0\n"
        "while [ -e \"$1\" ] && [ $tries -lt 100 ]; do rm -rf -- \"$1\"; tries=$((tries + 1)); done";
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return;
    alive = ends[1];
    const char *arguments[] = {"sh", "-c", script, "sh", path.c_str(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawn_file_actions_addchdir_np(&actions, "/");
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    if (posix_spawn(&watcher, "/bin/sh", &actions, &attributes, const_cast<char **>(arguments), environ)) watcher = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
}

folder::folder() {
    static std::once_flag looked;
    const char *named = secure_getenv("TMPDIR");
    const std::string where = named && *named == '/' ? named : "/tmp";
    std::call_once(looked, remove_left, where);
    for (int attempts = 0; attempts < 10 && !make(where); attempts++) {}
    if (!path.empty()) watch();
}

folder::~folder() {
    if (path.empty()) return;
    remove_all_in(opened);
    rmdir(path.c_str());
    close(opened);
    if (alive >= 0) close(alive);
    while (watcher > 0 && waitpid(watcher, nullptr, 0) < 0 && errno == EINTR) {}
}

bool folder::write(const std::string &name, const char *text) { return write(name, text, strlen(text)); }

bool folder::write(const std::string &name, const void *bytes, size_t size) {
    if (name.empty() || name[0] == '/' || name.find("..") != std::string::npos) return false;
    for (size_t i = name.find('/'); i != std::string::npos; i = name.find('/', i + 1))
        mkdir(at(name.substr(0, i)).c_str(), 0700); /* where it cannot be made, the file cannot either */
    FILE *file = fopen(at(name).c_str(), "we");
    if (!file) return false;
    bool all = fwrite(bytes, 1, size, file) == size;
    return !fclose(file) && all;
}

} // namespace emu
