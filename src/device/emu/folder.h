/* A temporary folder of this process alone, for the compiler's files. */
#ifndef WW_EMU_FOLDER_H
#define WW_EMU_FOLDER_H

#include <string>

#include <sys/types.h>

namespace emu {

/* It and all in it goes when this does, or when this process is killed: a shell that reads from it sees its end, and removes the
 * folder. Should that be killed too: while the folder stands, this process holds a lock on it, and the first folder that is made
 * later in a process of this user's removes those beside it that nobody holds. */
struct folder {
    folder();
    folder(const folder &) = delete;
    ~folder();
    std::string at(const std::string &name) const { return path + "/" + name; }
    /* Makes the folders on the way to it, too. Names that lead out of here are refused. */
    bool write(const std::string &name, const char *text);
    bool write(const std::string &name, const void *bytes, size_t size);
    std::string path; /* "" where none could be made */

  private:
    bool make(const std::string &where);
    void watch();
    int opened = -1, alive = -1; /* the folder; what the shell reads from */
    pid_t watcher = -1;
};

} // namespace emu
#endif
