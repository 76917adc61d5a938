/* Where something lies that a test runs or reads, of the build or of the source. Test programs know it relative to their own folder, so
 * that they are the same bytes in every clone; and tools/run-tests takes strings of theirs that begin with "../" and name
 * something for what they depend on. */
#ifndef TESTS_LOCATED_H
#define TESTS_LOCATED_H

/* The whole path of `path`, which begins with "../"; it stays until the program ends. WARPWISE_TEST_PLACES names folders, with colons
 * between them, where it is looked for before, as if the program lay there: tools/mutants has a command with a fault elsewhere. */
const char *located(const char *path);

#endif
