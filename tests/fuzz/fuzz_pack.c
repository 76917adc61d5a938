/* Any bytes at all as a kernel pack: it is refused, or what is found lies whole inside the file and is PTX or machine
 * code whose sum is right. And any bytes at all as packed code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/gpu/pack.h"
#include "device/gpu/unpack.h"

static void check(int right) {
    if (!right) abort();
}

/* Sums that a fuzzer does not find are made right. */
static void mend_sums(unsigned char *bytes, size_t length) {
    ww__pack_head head;
    if (length < sizeof head) return;
    memcpy(&head, bytes, sizeof head);
    head.magic = WW__PACK_MAGIC;
    head.version = WW__PACK_VERSION;
    head.sources %= 16;
    head.programs %= 16;
    head.maker_bytes %= 64;
    head.file_bytes = length;
    head.sum = 0;
    memcpy(bytes, &head, sizeof head);
    const size_t programs = sizeof head + head.sources * sizeof(ww__pack_source);
    const size_t data = programs + head.programs * sizeof(ww__pack_program) + head.maker_bytes;
    if (data > length) return;
    for (uint32_t i = 0; i < head.programs; i++) {
        ww__pack_program p;
        unsigned char *const at = bytes + programs + i * sizeof p;
        memcpy(&p, at, sizeof p);
        if (p.packed_bytes > length || p.at < data || p.at > length - p.packed_bytes) continue;
        p.sum = ww__pack_hash(WW__PACK_HASH_BEGIN, bytes + p.at, p.packed_bytes);
        memcpy(at, &p, sizeof p);
    }
    head.sum = ww__pack_hash(WW__PACK_HASH_BEGIN, bytes, data);
    memcpy(bytes, &head, sizeof head);
}

static void look(const unsigned char *bytes, size_t length) {
    char path[64], why[512], *source;
    ww_status status;
    ww__pack_program program;
    ww__code code;
    const int file = memfd_create("pack", MFD_CLOEXEC);
    check(file >= 0 && !fchmod(file, 0600) && write(file, bytes, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ww__pack *pack = ww__pack_open(path, NULL, &status, why, sizeof why);
    check(!pack == (status != WW_OK) && (status == WW_OK || status == WW_FORMAT || status == WW_MEMORY));
    if (pack) {
        check(strlen(ww__pack_maker(pack)) <= length);
        for (size_t i = 0; i < ww__pack_entries(pack); i++) {
            if (!ww__pack_entry(pack, i, &program, &source, &code)) continue;
            volatile unsigned char sum = 0; /* so that every byte is really read */
            for (size_t b = 0; b < code.size; b++) sum = (unsigned char)(sum + ((unsigned char *)code.bytes)[b]);
            check(program.kind != WW__PACK_PTX || !((unsigned char *)code.bytes)[code.size - 1]);
            free(code.bytes);
            if (ww__pack_find(pack, program.architecture, source, &code)) free(code.bytes);
            free(source);
        }
        check(ww__pack_programs(pack, 90) <= length);
    }
    ww__pack_close(pack);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static unsigned char out[5000];
    unsigned char *mended = malloc(length + 1);
    check(mended != NULL);
    memcpy(mended, bytes, length);
    look(mended, length);
    mend_sums(mended, length);
    look(mended, length);
    free(mended);
    for (size_t room = 0; room <= sizeof out; room = 3 * room + 1) {
        ww__chances chances;
        ww__chances_begin(&chances);
        (void)ww__unpack(&chances, bytes, length, out, 0, room);
    }
    return 0;
}
