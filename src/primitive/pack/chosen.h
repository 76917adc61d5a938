/* For the teaching methods of pack and split on a GPU: what chooses, whichever it is, as one input of numbers. */
#ifndef WW__CHOSEN_H
#define WW__CHOSEN_H

#include "device/gpu/gpu.h"

/* The flags, or what the predicate makes of the elements: an element is chosen where it is not 0. LIMIT for elements that are
 * too long to be given to a predicate, or made of too many steps. */
ww_status ww__chosen(ww_device *device, const ww_input *in, const ww_input *flags, const ww_function *predicate,
                     ww_input *chosen);

#endif
