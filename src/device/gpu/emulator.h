/* Finding the emulator: a shared object of its own beside the library, because it needs C++. */
#ifndef WW__GPU_EMULATOR_H
#define WW__GPU_EMULATOR_H

#include "device/gpu/driver.h"

/* Opens the emulator with the options behind "emu:". NULL, with a status and a sentence, where it is not installed. */
ww__driver *ww__emulator_open(const char *options, ww_status *status, char *why, size_t room);

#endif
