/* Where tests put the files that they write. */
#include <stdio.h>

#include "support/cases.h"

bool folder_make(char *path, size_t room, const char *name) {
    const char *at = getenv("TMPDIR");
    const int length = snprintf(path, room, "%s/warpwise-%s-XXXXXX", at && *at ? at : P_tmpdir, name);
    return length > 0 && (size_t)length < room && mkdtemp(path);
}
