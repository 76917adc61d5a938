/* The functions that the compiler calls before each access of memory under -fsanitize=thread: here they lead to the
 * emulator. They are a part of each program, so that no name of a sanitizer's is shown to anyone else. Compiling them takes
 * a third of the time of a small program: for gcc's programs program/accesses.cpp has them compiled beforehand. */
#ifndef WW_EMU_ACCESSES_H
#define WW_EMU_ACCESSES_H

extern "C" {
#if defined(__clang__) || defined(WW_EMU_BEFOREHAND)
#define WW_EMU_HOOK __attribute__((no_sanitize("thread"), used, visibility("hidden")))

/* A fiber's stack lies above the frame that is now its lowest, and nothing else does within the size of a stack: what is
 * private to a thread is passed by without a call. */
#define WW_EMU_STACK 65536
#define WW_EMU_LOOK(pointer, bytes, what) \
    do { \
        if ((char *)(pointer) - (char *)__builtin_frame_address(0) >= WW_EMU_STACK || \
            (char *)(pointer) < (char *)__builtin_frame_address(0)) \
            ww_emu->access(pointer, bytes, what, WW_EMU_SITE); \
    } while (0)

#define WW_EMU_HOOKS(bytes) \
    WW_EMU_HOOK void __tsan_read##bytes(void *p) { WW_EMU_LOOK(p, bytes, WW_EMU_READ | WW_EMU_ALIGNED); } \
    WW_EMU_HOOK void __tsan_write##bytes(void *p) { WW_EMU_LOOK(p, bytes, WW_EMU_WRITE | WW_EMU_ALIGNED); } \
    WW_EMU_HOOK void __tsan_read_write##bytes(void *p) { \
        WW_EMU_LOOK(p, bytes, WW_EMU_READ | WW_EMU_WRITE | WW_EMU_ALIGNED); \
    } \
    WW_EMU_HOOK void __tsan_unaligned_read##bytes(void *p) { WW_EMU_LOOK(p, bytes, WW_EMU_READ); } \
    WW_EMU_HOOK void __tsan_unaligned_write##bytes(void *p) { WW_EMU_LOOK(p, bytes, WW_EMU_WRITE); } \
    WW_EMU_HOOK void __tsan_unaligned_read_write##bytes(void *p) { \
        WW_EMU_LOOK(p, bytes, WW_EMU_READ | WW_EMU_WRITE); \
    } \
    WW_EMU_HOOK void __tsan_volatile_read##bytes(void *p) { WW_EMU_LOOK(p, bytes, WW_EMU_READ | WW_EMU_ALIGNED); } \
    WW_EMU_HOOK void __tsan_volatile_write##bytes(void *p) { WW_EMU_LOOK(p, bytes, WW_EMU_WRITE | WW_EMU_ALIGNED); }
WW_EMU_HOOKS(1)
WW_EMU_HOOKS(2)
WW_EMU_HOOKS(4)
WW_EMU_HOOKS(8)
WW_EMU_HOOKS(16)
WW_EMU_HOOK void __tsan_read_range(void *p, unsigned long bytes) { WW_EMU_LOOK(p, bytes, WW_EMU_READ | WW_EMU_LONG); }
WW_EMU_HOOK void __tsan_write_range(void *p, unsigned long bytes) { WW_EMU_LOOK(p, bytes, WW_EMU_WRITE | WW_EMU_LONG); }
WW_EMU_HOOK void __tsan_init() {}
WW_EMU_HOOK void __tsan_func_entry(void *) {}
WW_EMU_HOOK void __tsan_func_exit() {}
WW_EMU_HOOK void __tsan_vptr_read(void **) {}
WW_EMU_HOOK void __tsan_vptr_update(void **, void *) {}
WW_EMU_HOOK void __tsan_atomic_thread_fence(int) {}
WW_EMU_HOOK void __tsan_atomic_signal_fence(int) {}

/* Copies that are calls. gcc reports copies of structs by itself and may then call memcpy: it must not report them twice,
 * so with gcc only what is written as a call in the text comes here (the defines below). clang calls these for both. */
#define WW_EMU_COPY __attribute__((no_sanitize("thread"), used, noinline, visibility("hidden")))
WW_EMU_COPY void *ww_emu_copy(void *to, const void *from, unsigned long bytes) {
    WW_EMU_LOOK(from, bytes, WW_EMU_READ | WW_EMU_LONG);
    WW_EMU_LOOK(to, bytes, WW_EMU_WRITE | WW_EMU_LONG);
    volatile char *t = (volatile char *)to;
    const volatile char *f = (const volatile char *)from;
    if (t < f)
        for (unsigned long i = 0; i < bytes; i++) t[i] = f[i];
    else
        for (unsigned long i = bytes; i > 0; i--) t[i - 1] = f[i - 1];
    return to;
}
WW_EMU_COPY void *ww_emu_set(void *to, int byte, unsigned long bytes) {
    WW_EMU_LOOK(to, bytes, WW_EMU_WRITE | WW_EMU_LONG);
    volatile char *t = (volatile char *)to;
    for (unsigned long i = 0; i < bytes; i++) t[i] = (char)byte;
    return to;
}
#else
__attribute__((visibility("hidden"))) void *ww_emu_copy(void *to, const void *from, unsigned long bytes);
__attribute__((visibility("hidden"))) void *ww_emu_set(void *to, int byte, unsigned long bytes);
#endif

#ifdef WW_EMU_BEFOREHAND /* for programs of gcc's */
#elif defined(__clang__)
#define WW_EMU_ALIAS(name) __attribute__((alias(name), used, visibility("hidden")))
WW_EMU_ALIAS("ww_emu_copy") void *memcpy(void *, const void *, unsigned long);
WW_EMU_ALIAS("ww_emu_copy") void *memmove(void *, const void *, unsigned long);
WW_EMU_ALIAS("ww_emu_set") void *memset(void *, int, unsigned long);
WW_EMU_ALIAS("ww_emu_copy") void *__tsan_memcpy(void *, const void *, unsigned long);
WW_EMU_ALIAS("ww_emu_copy") void *__tsan_memmove(void *, const void *, unsigned long);
WW_EMU_ALIAS("ww_emu_set") void *__tsan_memset(void *, int, unsigned long);
#else
#define memcpy ww_emu_copy
#define memmove ww_emu_copy
#define memset ww_emu_set
#define __builtin_memcpy ww_emu_copy
#define __builtin_memmove ww_emu_copy
#define __builtin_memset ww_emu_set
#endif
}
#endif
