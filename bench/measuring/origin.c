#include "measuring/origin.h"

#include "bench_commit.h"

const char bench_source[4096] = BENCH_SOURCE;
const char bench_build[4096] = BENCH_BUILD;
const char bench_commit[64] = BENCH_COMMIT;
