/* What gather and scatter move elements as: words of WW_WORD bytes, as large as the size of an element and all addresses allow.
 * And what they note for each place where elements meet. */
#ifndef WW_GATHER_WORD_CUH
#define WW_GATHER_WORD_CUH

typedef ww_number<WW_WORD>::type ww_word_t;

#if WW_WIDE
typedef uint64_t ww_choice;
#else
typedef uint32_t ww_choice;
#endif

#endif
