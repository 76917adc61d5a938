/* Turns kernel text into a shared object with the machine's C++ compiler. */
#ifndef WW_EMU_COMPILE_H
#define WW_EMU_COMPILE_H

#include <string>

#include "device/digest.h"
#include "device/gpu/driver.h"

namespace emu {

/* The compiler's first line about itself; "" when there is none. */
std::string compiler_version();
struct target {
    bool tsan;  /* for the real thread sanitizer */
    bool clang; /* what the compiler is */
};
ww_status compile(const char *source, const ww__header *headers, const target &t, ww__code *code, std::string &why);
/* Only reads the text: WW_COMPILE where it is no program, another status where it could not be read. */
ww_status look(const char *source, const ww__header *headers, std::string &why);
/* The source line of an offset in an object, "scan.cuh:12", or "" where no tool tells. */
std::string source_line(const std::string &object, uintptr_t offset);
/* Of what a cache must know of the compiler: its command, flags and version, and what is compiled into every program, kernels' words
 * and calls. */
void compiler_digest(const std::string &version, char text[WW__DIGEST_TEXT]);

} // namespace emu
#endif
