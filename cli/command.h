/* The subcommands. Each gets its own arguments, argv[0] being "warpwise sort", and returns the exit status. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

/* Exit statuses of every subcommand. */
enum { DONE = 0, FAILED = 1, MISUSED = 2 };

#define EACH_COMMAND(X) \
    X(info, "available devices, and why others are not") \
    X(sort, "sort an array, with or without values") \
    X(split, "put elements into buckets, stably") \
    X(histogram, "count elements by ranges") \
    X(scan, "running sums, minima, maxima, products") \
    X(reduce, "the sum, minimum, maximum, product or mean") \
    X(pack, "keep the elements whose flag is set") \
    X(unique, "the distinct elements of a sorted array, and how often each occurs") \
    X(top, "the smallest or the largest elements, in order") \
    X(merge, "merge two sorted arrays") \
    X(gather, "elements by their positions") \
    X(join, "all pairs of equal elements of two arrays") \
    X(convert, "convert columns of CSV and numbers in text to arrays, and back") \
    X(dict, "an ordered dictionary in a file: batches of keys, look-ups, counts, ranges") \
    X(find, "find a pattern, or many patterns, in files") \
    X(nbody, "n-body simulation, step by step, with pictures") \
    X(sssp, "shortest paths from a vertex of a graph to all others") \
    X(graph, "searches, components and ranks of graphs; graph generators") \
    X(banked, "sorting, partitioning and permuting on a model of banked memory") \
    X(tour, "a one-minute tour of the library, with each result checked") \
    X(bench, "rates, and ratios to other libraries in the same run")

#define DECLARE(name, about) int name##_command(int argc, char **argv);
EACH_COMMAND(DECLARE)
#undef DECLARE

/* What every --help ends with. */
#define FILES_HELP \
    "\nFiles are raw little-endian arrays, of the type that --type names, or .npy files, which contain their type. " \
    "Types: u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f16 bf16 f32 f64, and rec:N for records of N bytes. " \
    "\"-\" is standard input, which is read as .npy if it begins like one, or standard output, raw or as --out-type says. " \
    "Where one dimension is expected, a .npy of several is refused. " \
    "IN and OUT may be the same file: the old one stays until the new one is complete. " \
    "The new one has the old one's owner, group, permissions, ACL and user attributes as far as you may set them, but no " \
    "setuid or setgid bits, and other names (hard links) of the old one keep the old contents. Pipes, devices, " \
    "/dev/stdout and /dev/fd/N are written directly."
#define GRAPH_HELP \
    "\nGRAPH is DIMACS (\"p sp N M\", \"a FROM TO WEIGHT\"), Matrix Market (coordinate; entry (i, j) is an arc from " \
    "i to j, symmetric entries are arcs both ways, those of a pattern have weight 1), or lines \"FROM TO\" or \"FROM " \
    "TO WEIGHT\" with vertices from 0; each plain or compressed by gzip, and recognised by its contents. A file named " \
    "*.npy holds whole numbers of shape (arcs, 2) or (arcs, 3), vertices from 0. Weights are whole numbers below " \
    "2^32, or f32 of at least 0. Vertices keep the numbers of their file: from 1 in the first two forms, from 0 in the " \
    "others. \"-\" is standard input.\n"
#define GROUP_HELP \
    "With --group=mpi the processes that mpirun started, on one machine or on several that share a file system, work " \
    "together: each reads its part of the files and writes its part, and the result is the same. Errors are printed once, " \
    "and all exit with the same status. Files must not be pipes then. The ranks of a machine take the devices of a list in " \
    "turn. MPI itself is used only in libwarpwise-mpi-openmpi.so or -mpich.so, beside libwarpwise or where the loader " \
    "looks; WARPWISE_MPI names another file. "
#define STATUS_HELP "\nExit status: 0 success, 1 failure (one sentence on standard error), 2 wrong usage."

#endif
