/* Methods divide, divide32 and divide64 (Ashkiani 2017, sections 2.4 and 2.6.2): the starts are cut into subtexts; a thread
 * rolls the pattern's fingerprint over its own, and the characters that follow it. Patterns above WW_MOST characters are not
 * brought on chip: subtexts are then as long as the pattern, so that what is read twice stays as much as the text.
 *
 * Method serial is one thread with one subtext: a baseline. */
#include "text/named/fingerprint.cuh"

/* Takes away marks of what only seems to be a match. */
WW_DEVICE uint32_t compared(const named_arguments &a, uint64_t first, uint32_t marks, found &before) {
    for (uint32_t left = marks; left; left &= left - 1)
        if (!is_match(a, first + (__ffs(int(left)) - 1), before, fits)) marks ^= left & (~left + 1);
    return marks;
}

/* Goes through `each` starts from `first` on. */
template <class W> WW_DEVICE void search(const named_arguments &a, const W &words, uint64_t first, uint64_t each) {
    if (first >= a.starts) return;
    found before = {0, false};
    fingerprint f = first_fingerprint(words, a.m);
    for (uint64_t i = 0; i < each && first + i < a.starts; i += MARK_BITS) {
        uint32_t marks = marks_before(roll_over_marks(a, words, i, a.m, f), a.starts - first - i);
        if (marks && (WW_MODULO || STRICT)) marks = compared(a, first + i, marks, before);
        a.marks[(first + i) / MARK_BITS] = marks;
    }
}

WW_GPU_KERNEL(divide, named_arguments, WW_THREADS) {
    WW_SHARED(subtexts, s);
    load_subtexts(a, s);
    const near_words words = {s};
    search(a, words, (uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x) * WW_EACH, WW_EACH);
}

WW_GPU_KERNEL(divide_far, named_arguments, WW_THREADS) {
    const uint64_t first = (uint64_t(blockIdx.x) * WW_THREADS + threadIdx.x) * a.each;
    const far_words words = {a, first / WORD_CHARACTERS * 4};
    search(a, words, first, a.each);
}
