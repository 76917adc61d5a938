/* What accesses.h puts into each program of the emulator's, compiled once, with the emulator; embed.cmake keeps the object. */
#include "device/emu/calls.h"

#define WW_EMU_BEFOREHAND
#define WW_EMU_SITE __builtin_return_address(0)
extern "C" __attribute__((visibility("default"))) const ww_emu_calls *ww_emu; /* the program's: see words.h */

#include "device/emu/accesses.h"
