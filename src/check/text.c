/* Functions as a GPU gets them: the text that is assembled for one – the function, what it lists, their types – is read by the C++
 * compiler that the emulator uses, once in a process. */
#include <string.h>

#include "check/checks.h"
#include "device/gpu/emulator.h"
#include "device/gpu/kernels.h"
#include "device/gpu/source.h"

enum { MESSAGES = 8192 };

/* Behind the words, what NVRTC knows by itself of <math.h> and the emulator's words do not have. */
#define OF_ONE(name) "float " #name "f(float); double " #name "(double);\n"
#define OF_TWO(name) "float " #name "f(float, float); double " #name "(double, double);\n"
#define OF_ANY(name) "static inline bool " #name "(double x) { return __builtin_" #name "(x); }\n"
static const char words[] = "#include \"device/kernel/words.cuh\"\nextern \"C\" {\n" OF_ONE(tan) OF_ONE(asin)
    OF_ONE(acos) OF_ONE(atan) OF_ONE(sinh) OF_ONE(cosh) OF_ONE(tanh) OF_ONE(asinh) OF_ONE(acosh) OF_ONE(atanh)
        OF_ONE(exp2) OF_ONE(expm1) OF_ONE(log2) OF_ONE(log10) OF_ONE(log1p) OF_ONE(cbrt) OF_ONE(round) OF_ONE(nearbyint)
            OF_ONE(erf) OF_ONE(erfc) OF_ONE(tgamma) OF_ONE(lgamma) OF_TWO(atan2) OF_TWO(hypot) OF_TWO(copysign)
                OF_TWO(fdim) OF_TWO(remainder) "float ldexpf(float, int); double ldexp(double, int);\n}\n" OF_ANY(isnan)
                    OF_ANY(isinf) OF_ANY(isfinite) OF_ANY(signbit);

/* In the room; NULL where it does not fit. */
static char *assemble(ww__checks *c, const ww_function *f) {
    uint32_t space;
    const ww__definitions of = {&f, NULL, 1, 0, &space, NULL};
    const size_t bytes = ww__functions_source(&of, NULL, 0);
    char *const text = bytes ? ww__check_take(c, 1, sizeof words + bytes) : NULL;
    if (!text) return NULL;
    memcpy(text, words, sizeof words);
    return ww__functions_source(&of, text + sizeof words - 1, bytes) ? text : NULL;
}

static bool says_any(const char *message, const char *const *parts) {
    for (; *parts; parts++)
        if (strstr(message, *parts)) return true;
    return false;
}

/* What to do where a name is not known. */
static bool is_unknown_name(const char *message) {
    static const char *const unknown[] = {"was not declared",      "has not been declared", "does not name a type",
                                          "undeclared identifier", "unknown type name",     NULL};
    return says_any(message, unknown);
}

/* "sums.c:12:34: error: …" as place and message; false where it is something else. */
static bool take_apart(char *first_line, char **message) {
    static const char mark[] = ": error: ";
    char *const end = strchr(first_line, '\n');
    if (end) *end = 0;
    char *const at = strstr(first_line, mark);
    if (!at) return false;
    *message = at + sizeof mark - 1;
    char *const guess = strstr(*message, "; did you mean"), *const flag = strstr(*message, " [-");
    if (guess) *guess = 0;
    if (flag) *flag = 0;
    *at = 0;
    char *const column = strrchr(first_line, ':');
    if (column && strchr(first_line, ':') != column) *column = 0;
    return true;
}

/* The sentence about the first of the compiler's messages. The macro's place stands before it; where the message is of a text that
 * the function uses, its own place does, too. */
static ww_status fail(ww_device *device, const ww_function *f, char *messages) {
    char *message = messages, here[512], said[1200];
    const bool placed = take_apart(messages, &message);
    snprintf(here, sizeof here, "%s:%d", f->file, f->line);
    const bool elsewhere = placed && strcmp(here, messages) != 0;
    const int length = snprintf(said, sizeof said, "%s%s%s", elsewhere ? messages : "", elsewhere ? ": " : "", message);
    if (is_unknown_name(message) && length > 0 && (size_t)length < sizeof said)
        snprintf(said + length, sizeof said - (size_t)length,
                 ". A GPU gets only what is listed (%s_USES: functions, constants, structs), and nothing else of the "
                 "program: no variables, no macros (WW_CONSTANT defines numbers for it), no library functions",
                 ww__role_name(f));
    return ww__fail(device, WW_COMPILE, WW__PLACE " cannot be compiled for a GPU: %s", WW__PLACE_OF(f), said);
}

ww_status ww__check_text(ww_device *device, const ww_function *f) {
    ww__checks *const c = device->checks;
    c->used = 0;
    if (!c->compiles || !f->body) return WW_OK;
    char *const text = assemble(c, f), *const messages = ww__check_take(c, 1, MESSAGES);
    if (!text || !messages) return WW_OK;
    const ww_status status = ww__emulator_look(text, ww__kernel_headers, messages, MESSAGES);
    if (status == WW_COMPILE) return fail(device, f, messages);
    if (!status) return WW_OK;
    c->compiles = false;
    ww__check_note(device, "functions are not compiled as a GPU would have them: %s", messages);
    return WW_OK;
}
