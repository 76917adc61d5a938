/* Where tests put the files that they write. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/trust.h"
#include "support/cases.h"

bool folder_make(char *path, size_t room, const char *name) {
    const char *at = getenv("TMPDIR");
    const int length = snprintf(path, room, "%s/warpwise-%s-XXXXXX", at && *at ? at : P_tmpdir, name);
    return length > 0 && (size_t)length < room && mkdtemp(path);
}

bool folders_can_be_trusted(void) {
    struct stat root;
    char path[200];
    const char *wrong;
    if (stat("/", &root) || (root.st_uid != 0 && root.st_uid != geteuid())) {
        left_out("what needs a trusted folder: / is shown as another user's here");
        return false;
    }
    if (!folder_make(path, sizeof path, "trusted")) return true;
    const int folder = ww__folder_open(path, "", &wrong);
    if (folder < 0) fprintf(stderr, "of %s or a folder on the way to it: %s; let TMPDIR name another\n", path, wrong);
    if (folder >= 0) close(folder);
    rmdir(path);
    return true;
}
