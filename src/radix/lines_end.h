/* Ends what lines_pairs.h began. */
#undef LINES_JOINED
#undef LINES_JOINED_EXPANDED
#undef PAIR
#undef LINE
#undef KEYS_A_LINE
#undef VALUES_A_LINE
#undef ANY_VALUE
#undef WRITER
#undef VALUE
#undef VALUED
#undef VALUE_NAME
