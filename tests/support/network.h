/* A network that is not there: an engine whose ranks are threads of this process, which moves bytes at once and keeps a clock for each
 * rank of what that would take on links with given costs. What is counted, bytes and messages, is what the group really sends; what is
 * made up is the time. Groups of a thousand ranks run on two processors.
 *
 * A rank's clock goes on by what its calls cost here and by what it is told of work between them (network_works), or by the processor
 * time that its thread takes between them (network_measures). Costs are those of LogGP (Alexandrov et al., 1995):
 *
 *   call     an exchange or a gather begins when a rank has made the call before, and `call_s` later
 *   exchange a rank sends its messages one after another, beginning with the rank behind it, as engines do: each takes `message_s` and
 *            its bytes over the port's rate, and arrives `latency_s` after it has gone. Messages come in at the same rate: a rank has all of
 *            its own when the last one has arrived, but not before its port, from the first one on, had time for all
 *   gather   in steps of doubling (Bruck et al., 1997): in step k the rank that is 2^k behind brings all it knows
 *   ports    a rank has one to the ranks of its host, and one to others, of which either has its own rate each way
 *
 * A rank's block for itself is copied at `copy_bytes_per_s` beside. */
#ifndef TESTS_NETWORK_H
#define TESTS_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "warpwise/group.h"

enum { NETWORK_NEAR, NETWORK_FAR, NETWORK_REACHES }; /* ranks of one host; of two */

typedef struct network_costs {
    uint32_t per_host; /* ranks of a host; 0: one host has all */
    double call_s, message_s, copy_bytes_per_s;
    double latency_s[NETWORK_REACHES], bytes_per_s[NETWORK_REACHES];
} network_costs;

/* What was moved by one exchange or gather, in the order in which the ranks make them. */
typedef struct network_operation {
    bool gathers;
    uint64_t gathered; /* a gather's bytes of a rank */
    uint32_t *bytes;   /* an exchange's, from rank s to r: bytes[s * ranks + r]; NULL where it is not kept */
    uint64_t messages, most_messages; /* between two ranks, of all; that one rank sends */
    uint64_t sum, most, most_in;      /* bytes of these; that one rank sends, and that come to one */
} network_operation;

typedef struct network network;

/* Ends for so many ranks at `engines`. With `keeps` every operation's bytes are kept, 4 a pair of ranks (so blocks are below 4 GiB then).
 * NULL where there is no memory. It outlives the engines. */
network *network_new(uint32_t ranks, const network_costs *costs, bool keeps, ww_engine *engines);
void network_free(network *n);

/* The rank's thread says so; or reads its clock, as it is after its last wait. Seconds. */
void network_works(network *n, uint32_t rank, double seconds);
double network_clock(const network *n, uint32_t rank);
/* Before the ranks begin: clocks go on by the threads' processor time, too. */
void network_measures(network *n);

/* What has been moved since the beginning, or since it was forgotten; when no rank is in a call. */
size_t network_operations(const network *n, const network_operation **operations);
void network_forget(network *n);

/* A group of all ends, each rank on a thread of its own with a CPU of one thread; runs body(group, context) on every one and closes. The
 * first operation is what they say when they open. OK, or the status of the lowest rank whose is not, whose sentence `why` gets. */
ww_status network_run(network *n, const ww_engine *engines, ww_group_body *body, void *context, char why[256]);

/* When ranks that come to an operation at start[r] are through it, at finish[r]; of blocks `times` as long as they were. */
void network_pass(const network_costs *costs, uint32_t ranks, const network_operation *o, double times,
                  const double *start, double *finish);

#endif
