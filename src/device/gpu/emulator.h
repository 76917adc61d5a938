/* Finding the emulator: a shared object of its own beside the library, because it needs C++. */
#ifndef WW__GPU_EMULATOR_H
#define WW__GPU_EMULATOR_H

#include <stdbool.h>

#include "device/gpu/driver.h"

/* Opens the emulator with the options behind "emu:". NULL, with a status and a sentence, where it is not installed. Loads code and
 * starts the C++ compiler, for its version. */
ww__driver *ww__emulator_open(const char *options, ww_status *status, char *why, size_t room);
/* Whether there is a file to open, as far as that can be said without loading it; else with a sentence. */
bool ww__emulator_there(char *why, size_t room);

#endif
