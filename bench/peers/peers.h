/* The peers that can run here: modules of C++ beside the program, and NumPy in a process of its own. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "measuring/bench.h"

enum { PEERS = 17 };

typedef struct bench_peer {
    const char *name;
    const peer *module; /* NULL: NumPy, or not here */
    char about[200];    /* versions; or, when it is not here, why */
    bool here;
} bench_peer;

/* Finds out which are here. `directory` is the program's own; `why_not`, unless it is NULL, leaves all out. */
void peers_open(bench_peer peers[PEERS], const char *directory, unsigned threads, const char *why_not);
void peers_close(void);

/* Whether the peer has an operation of that name, and what it calls. */
const char *peer_call(const bench_peer *peer, const char *operation);

/* Whether what is called says that it runs on one thread. */
bool on_one_thread(const char *call);

/* One timed run, in seconds, of `calls` calls on so many threads; negative when it failed. peer_finish brings the result of the last one to
 * where Warpwise's is. */
double peer_run(const bench_peer *peer, const char *operation, bench_work *work, unsigned calls, unsigned threads);
bool peer_finish(const bench_peer *peer, const char *operation, bench_work *work);

#endif
