/* Any bytes as calls, up to a dozen one after another on one handle: which function, on arrays of what, by which method. Arrays are
 * small and have memory of their own, as long as they are, for the address sanitizer. What comes out is what the serial oracles
 * say; only a method that was asked for by its name may refuse. */
#ifndef TESTS_RANDOM_CALLS_H
#define TESTS_RANDOM_CALLS_H

#include <stddef.h>
#include <stdint.h>

/* `wrong` is called where something is not as the oracles say, and does not return. */
void random_calls(const uint8_t *bytes, size_t length, void (*wrong)(void));

#endif
