/* Which files and folders the library believes: code is run from them. SECURITY.md says the same to users. */
#ifndef WW__TRUST_H
#define WW__TRUST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether the program has rights that its caller lacks (setuid, setgid, file capabilities): its environment is the caller's then,
 * which secure_getenv does not show. */
bool ww__privileged(void);

/* An open file counts when it is a regular one, its owner is this process's user, root or `owner` (ww__beside gives one), and nobody
 * else may write to it (an access list that lets others write shows in the group's bit). NULL then, else what is wrong with it. */
const char *ww__file_distrusted(int file, uid_t owner);

/* Opens the folder at `path`, absolute, and below it the one at `below` ("": itself), which is made, 0700, as far as it is missing;
 * with "" the last folder of path is. It is opened folder by folder, and what the result is used for goes by openat, so that
 * nobody can exchange a part of the way meanwhile: each is this user's or root's, and nobody else may write to it. On the way one that
 * all may write to will do where it is sticky (/tmp): what is this user's or root's there stays so. Above the last folder of `path`
 * a link of root's is gone through in the same manner (/home on another disk). Any other link is refused. -1 with what is wrong. */
int ww__folder_open(const char *path, const char *below, const char **wrong);

/* Whether the file at `path`, and each folder on the way to where it lies when all links are followed, is so, too. NULL, with that
 * place in `real` (PATH_MAX bytes), or what is wrong. */
const char *ww__path_distrusted(const char *path, char *real);

/* The path of a file `name` in the folder that the code of this library was loaded from: the shared library's, or that of the
 * program that it is linked into. The system says where this is, not the program's first argument, and it is absolute. `owner` is
 * who owns the library or program: could have changed this code. False where the system does not say. */
bool ww__beside(const char *name, char *path, size_t room, uid_t *owner);

#endif
