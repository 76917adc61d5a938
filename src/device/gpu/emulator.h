/* Finding the emulator: a shared object of its own beside the library, because it needs C++. */
#ifndef WW__GPU_EMULATOR_H
#define WW__GPU_EMULATOR_H

#include <stdbool.h>

#include "device/gpu/driver.h"

/* Opens the emulator with the options behind "emu:". NULL, with a status and a sentence, where it is not installed. Loads code and
 * starts the C++ compiler, for its version. */
ww__driver *ww__emulator_open(const char *options, ww_status *status, char *why, size_t room);
/* Has its C++ compiler read a program (driver.h). UNSUPPORTED or NO_DEVICE, with a sentence, where that is not possible. */
ww_status ww__emulator_look(const char *source, const ww__header *headers, char *why, size_t room);
/* Whether there is a file to open, as far as that can be said without loading it; else with a sentence. */
bool ww__emulator_there(char *why, size_t room);

#endif
