/* A GPU that compiles and does nothing else (tools/kernel-pack/compile_only.h). */
#ifndef TESTS_COMPILE_ONLY_H
#define TESTS_COMPILE_ONLY_H

#include "device/gpu/driver.h"

/* A handle whose programs are compiled for sm_`architecture`; NULL with a printed reason where there is no NVRTC.
 * quickly: hardly optimised, where this NVRTC can do that. */
ww_device *compile_only_open(int architecture, bool quickly);

#endif
