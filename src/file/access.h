/* Who may do what with a file that takes another's place, or comes to be. */
#ifndef WW__FILE_ACCESS_H
#define WW__FILE_ACCESS_H

#include <sys/stat.h>

#include "file/source.h"

/* The mode that a file gets which is made in the folder in the ordinary way: what the umask leaves, or the folder's default ACL.
 * WW__MODE_UNKNOWN where the file system does not tell. */
#define WW__MODE_UNKNOWN ((mode_t)-1)
mode_t ww__mode_of_new(int folder);

/* Gives the file the owner, group, permissions, ACL and attributes of the old one, as far as this process may; nobody may
 * then do more with it than before. `old` is open, or -1; `status` is its. FILE where the system fails. */
ww_status ww__access_copy(const ww__transfer *transfer, int old, const struct stat *status, int fd);

#endif
