/* What gather and scatter move elements as: words of WW_WORD bytes, as large as the size of an element and all addresses allow.
 * And what they note for each place where elements meet. */
#ifndef WW_GATHER_WORD_CUH
#define WW_GATHER_WORD_CUH

#if WW_WORD == 16
typedef ww_sixteen ww_word_t;
#elif WW_WORD == 8
typedef uint64_t ww_word_t;
#elif WW_WORD == 4
typedef uint32_t ww_word_t;
#elif WW_WORD == 2
typedef uint16_t ww_word_t;
#else
typedef uint8_t ww_word_t;
#endif

#if WW_WIDE
typedef uint64_t ww_choice;
#else
typedef uint32_t ww_choice;
#endif

#endif
