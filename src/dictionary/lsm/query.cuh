/* A query that has been moved: its key, and where it stood. Positions are as wide as keys. */
#ifndef WW_LSM_QUERY_CUH
#define WW_LSM_QUERY_CUH

struct lsm_query {
    ww_key key, position;
};

WW_DEVICE lsm_query query_at(const void *queries, uint64_t i) { return static_cast<const lsm_query *>(queries)[i]; }

#endif
