#ifndef WW_EMU_LAUNCHED_H
#define WW_EMU_LAUNCHED_H

#include <string>

namespace emu {

/* Where WARPWISE_EMU_LAUNCHED names a file: adds the kernel's own file and its name to it, a line once for each process. Tests
 * ask it which kernels nobody runs. */
void note_launched(const std::string &file, const std::string &kernel);

} // namespace emu
#endif
