/* What a function gives for an element, as the number of a bucket: ww_bucket_number(given, many) is `many` where `given` is below
 * 0 or not below `many`, and of a float what stands before the point.
 *
 * WW_KIND: what the function gives: 0 unsigned numbers, 1 signed ones, 2 floats. */
#ifndef WW_BUCKET_NUMBER_CUH
#define WW_BUCKET_NUMBER_CUH

#if WW_KIND == 2
template <class T> WW_DEVICE uint32_t ww_bucket_number(T given, uint32_t many) {
    return given >= 0 && double(given) < double(many) ? uint32_t(given) : many;
}
#elif WW_KIND == 1
template <class T> WW_DEVICE uint32_t ww_bucket_number(T given, uint32_t many) {
    return given >= 0 && uint64_t(given) < many ? uint32_t(given) : many;
}
#else
template <class T> WW_DEVICE uint32_t ww_bucket_number(T given, uint32_t many) {
    return given < many ? uint32_t(given) : many;
}
#endif

#endif
