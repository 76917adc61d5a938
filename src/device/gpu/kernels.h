/* The kernel text that is built into the library: every .cuh file of src/, made by cmake/kernels.cmake. */
#ifndef WW__KERNELS_H
#define WW__KERNELS_H

#include "device/gpu/driver.h"

extern const ww__header ww__kernel_headers[]; /* ended by a NULL name */

#endif
