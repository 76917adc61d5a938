#include "device/emu/compile.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/emu/folder.h"

extern char **environ;

namespace emu {

/* From embed.cmake: names as included, and texts; ended by NULL. And program/accesses.cpp, compiled. */
extern const char *const embedded[][2];
extern const unsigned char accesses_object[];
extern const unsigned long accesses_object_size;

namespace {

using words = std::vector<std::string>;

words split(const char *text) {
    words all;
    std::string word;
    for (; text && *text; text++) {
        if (*text != ' ' && *text != '\t') {
            word += *text;
        } else if (!word.empty()) {
            all.push_back(word);
            word.clear();
        }
    }
    if (!word.empty()) all.push_back(word);
    return all;
}

words compiler() {
    words all = split(secure_getenv("WARPWISE_EMU_CXX"));
    return all.empty() ? words{"c++"} : all;
}

/* Starts a program in a folder, with its output in a file. What is preloaded here is not meant for it, and messages are read. In a
 * folder of ours its temporary files lie there, too: what is left of one that is killed goes with the folder. */
int run_program(const words &command, const std::string &folder, const std::string &output) {
    std::vector<char *> arguments, environment;
    for (const std::string &w : command) arguments.push_back(const_cast<char *>(w.c_str()));
    arguments.push_back(nullptr);
    const bool ours = folder != "/";
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "LD_PRELOAD=", 11) && strncmp(*e, "LC_ALL=", 7) && !(ours && !strncmp(*e, "TMPDIR=", 7)))
            environment.push_back(*e);
    static char c_locale[] = "LC_ALL=C";
    std::string temporary = "TMPDIR=" + folder;
    environment.push_back(c_locale);
    if (ours) environment.push_back(&temporary[0]);
    environment.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    pid_t child;
    int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (error) return -error;
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string contents(const std::string &path) {
    std::string all;
    FILE *file = fopen(path.c_str(), "re");
    if (!file) return all;
    char piece[65536];
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;) all.append(piece, n);
    fclose(file);
    return all;
}

/* What a program prints, kept in memory; "" where it fails. Its output is named as a descriptor of the child's, which has the file
 * until it starts the program. */
std::string printed(const words &command) {
    int file = memfd_create("printed", MFD_CLOEXEC);
    if (file < 0) return "";
    std::string path = "/proc/self/fd/" + std::to_string(file);
    std::string all = run_program(command, "/", path) ? "" : contents(path);
    close(file);
    return all;
}

/* Names in a text's lines of #include "name". */
words included(const char *text) {
    static const char directive[] = "#include \"";
    words all;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (strncmp(line, directive, sizeof directive - 1)) continue;
        const char *name = line + sizeof directive - 1;
        all.emplace_back(name, strcspn(name, "\"\n"));
    }
    return all;
}

/* Writes the headers that a text includes and that they include themselves: a few of the hundred that there are. */
bool write_included(folder &f, const char *text, const ww__header *headers, std::set<std::string> &written) {
    for (const std::string &name : included(text)) {
        if (!written.insert(name).second) continue;
        const char *found = nullptr;
        for (size_t i = 0; embedded[i][0]; i++)
            if (name == embedded[i][0]) found = embedded[i][1];
        for (size_t i = 0; !found && headers && headers[i].name; i++)
            if (name == headers[i].name) found = headers[i].text;
        if (found && (!f.write(name, found) || !write_included(f, found, headers, written))) return false;
    }
    return true;
}

/* The messages from the first error on: what stands before it says through which files it was reached. */
std::string from_first_error(const std::string &messages) {
    size_t error = messages.find("error: ");
    if (error == std::string::npos) return messages;
    size_t line = messages.rfind('\n', error);
    return messages.substr(line == std::string::npos ? 0 : line + 1);
}

words compile_command(const target &t, const char *language, const char *from, const char *to) {
    words command = compiler();
    /* Most programs run for less time than they take to compile, so the less the compiler thinks the better. */
    for (const char *w : {"-std=c++17", t.clang ? "-O1" : "-Og", "-g1", "-w", "-fPIC", "-nostdinc",
                          "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-fno-strict-aliasing",
                          "-ffp-contract=off", "-fno-stack-protector", "-fsanitize=thread", "-DWW_EMULATED=1", "-I."})
        command.push_back(w);
    if (t.tsan) command.push_back("-DWW_EMULATED_TSAN=1");
    /* Small structs stay whole (no scalar replacement), so that uint4 is one access of 16 bytes, as it is on a GPU. */
    if (!t.clang) command.push_back("-fno-tree-sra");
    for (const std::string &w : split(secure_getenv("WARPWISE_EMU_FLAGS"))) command.push_back(w);
    for (const char *w : {"-x", language, "-c", from, "-o", to}) command.push_back(w);
    return command;
}

const char WORDS[] = "device/kernel/words.cuh"; /* which every program begins with */

/* Puts the words beside their text as gcc has precompiled them, for all programs of this process: without them a program takes
 * a seventh longer. They stay in memory, so that nothing is left behind; gcc passes by what is not for its flags. */
void give_words(folder &f, const target &t) {
    enum { WORTH_IT = 4 }; /* making them takes as long as they spare this many programs */
    static std::mutex lock;
    static unsigned asked = 0;
    static int made = -1;
    std::lock_guard<std::mutex> hold(lock);
    if (t.clang || ++asked < WORTH_IT) return;
    if (asked == WORTH_IT) {
        const std::string output = f.at("words.gch");
        if (run_program(compile_command(t, "c++-header", WORDS, "words.gch"), f.path, f.at("messages"))) return;
        const std::string all = contents(output);
        made = memfd_create("warpwise-emu-words", MFD_CLOEXEC);
        if (made >= 0 && write(made, all.data(), all.size()) != static_cast<ssize_t>(all.size())) {
            close(made);
            made = -1;
        }
    }
    const std::string name = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(made);
    if (made < 0 || symlink(name.c_str(), f.at(std::string(WORDS) + ".gch").c_str())) return; /* then it takes longer */
}

std::string ask_version(words command) {
    command.push_back("--version");
    std::string all = printed(command);
    return all.substr(0, all.find('\n'));
}

/* Of a text and the command that reads it. */
std::string digest_of(const words &command, const char *source) {
    char text[WW__DIGEST_TEXT];
    ww__digest digest;
    ww__digest_begin(&digest);
    for (const std::string &w : command) ww__digest_add_text(&digest, w.c_str());
    ww__digest_add_text(&digest, source);
    ww__digest_end_text(&digest, text);
    return text;
}

} // namespace

/* Compilers that have told their version are not asked again: programs may open a handle a thousand times. */
std::string compiler_version() {
    static std::mutex lock;
    static std::map<words, std::string> known;
    std::lock_guard<std::mutex> hold(lock);
    std::string &version = known[compiler()];
    if (version.empty()) version = ask_version(compiler());
    return version;
}

void compiler_digest(const std::string &version, char text[WW__DIGEST_TEXT]) {
    ww__digest digest;
    ww__digest_begin(&digest);
    for (size_t i = 0; embedded[i][0]; i++) ww__digest_add_text(&digest, embedded[i][1]);
    for (const words &list : {compiler(), split(secure_getenv("WARPWISE_EMU_FLAGS"))}) {
        for (const std::string &w : list) ww__digest_add_text(&digest, w.c_str());
        ww__digest_add_text(&digest, "");
    }
    ww__digest_add_text(&digest, version.c_str());
    ww__digest_end_text(&digest, text);
}

ww_status compile(const char *source, const ww__header *headers, const target &t, ww__code *code, std::string &why) {
    folder f;
    std::set<std::string> names;
    bool written = !f.path.empty() && write_included(f, source, headers, names);
    const bool beforehand = !t.clang && !t.tsan; /* as accesses.h says */
    if (beforehand) written = written && f.write("accesses.o", accesses_object, accesses_object_size);
    if (!written || !f.write("kernel.cu", source)) {
        why = "the emulator could not write a temporary folder for the compiler";
        return WW_FILE;
    }
    std::string messages = f.at("messages"), object = f.at("kernel.o"), library = f.at("kernel.so");
    give_words(f, t);
    int result = run_program(compile_command(t, "c++", "kernel.cu", "kernel.o"), f.path, messages);
    if (result < 0) {
        why = "the emulator needs a C++ compiler, and \"" + compiler()[0] +
              "\" could not be started: " + strerror(-result) + "; WARPWISE_EMU_CXX names another";
        return WW_COMPILE;
    }
    bool compiled = result == 0;
    if (compiled) {
        words link = compiler();
        for (const char *w : {"-shared", "-Wl,--as-needed", "kernel.o", "-o", "kernel.so", "-lm"}) link.push_back(w);
        /* Programs need no C++ library, and every process has a C library: gcc's linker takes a third of the time without. */
        if (!t.clang)
            for (const char *w : {"-nostdlib", "-lgcc"}) link.push_back(w);
        if (beforehand) link.push_back("accesses.o");
        result = run_program(link, f.path, messages);
    }
    std::string bytes = result ? "" : contents(library);
    if (bytes.empty()) {
        why = contents(messages);
        if (!compiled) why = from_first_error(why);
        if (why.empty()) why = "the C++ compiler failed and said nothing";
        return WW_COMPILE;
    }
    code->bytes = malloc(bytes.size());
    if (!code->bytes) return WW_MEMORY;
    memcpy(code->bytes, bytes.data(), bytes.size());
    code->size = bytes.size();
    return WW_OK;
}

/* What was right is not read again. */
ww_status look(const char *source, const ww__header *headers, std::string &why) {
    static std::mutex lock;
    static std::set<std::string> right;
    words command = compiler();
    for (const char *w : {"-std=c++17", "-fsyntax-only", "-Werror=vla", "-nostdinc", "-DWW_EMULATED=1", "-I.", "-x", "c++",
                          "kernel.cu"})
        command.push_back(w);
    const std::string digest = digest_of(command, source);
    {
        std::lock_guard<std::mutex> hold(lock);
        if (right.count(digest)) return WW_OK;
    }
    folder f;
    std::set<std::string> names;
    if (f.path.empty() || !write_included(f, source, headers, names) || !f.write("kernel.cu", source)) {
        why = "a temporary folder for the compiler could not be written";
        return WW_FILE;
    }
    const std::string messages = f.at("messages");
    const int result = run_program(command, f.path, messages);
    if (!result) {
        std::lock_guard<std::mutex> hold(lock);
        right.insert(digest);
        return WW_OK;
    }
    why = result < 0 ? "\"" + compiler()[0] + "\" could not be started: " + strerror(-result) +
                           "; WARPWISE_EMU_CXX names another"
                     : from_first_error(contents(messages));
    /* "sums.c:12:3: error: …"; without a place it is of the compiler itself. */
    const size_t error = why.find(": error: ");
    const bool placed = error != std::string::npos && error && why[error - 1] >= '0' && why[error - 1] <= '9';
    return result > 0 && placed ? WW_COMPILE : WW_NO_DEVICE;
}

std::string source_line(const std::string &object, uintptr_t offset) {
    char number[32];
    snprintf(number, sizeof number, "%#zx", static_cast<size_t>(offset));
    /* From the innermost function outwards; the words themselves are of no interest. */
    std::string all = printed({"addr2line", "-e", object, "-i", number});
    for (size_t start = 0, end; (end = all.find('\n', start)) != std::string::npos; start = end + 1) {
        std::string line = all.substr(start, end - start);
        line = line.substr(0, line.find(" ("));
        if (line.find("device/emu/") != std::string::npos || line.find("??") != std::string::npos) continue;
        size_t in = line.find("/warpwise-compile-");
        if (in != std::string::npos && (in = line.find('/', in + 1)) != std::string::npos) line = line.substr(in + 1);
        return line.compare(0, 2, "./") ? line : line.substr(2);
    }
    return "";
}

} // namespace emu
