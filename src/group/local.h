/* What a group tells the engine of threads beyond the engine's five functions: which devices its ranks have; and what that then does more
 * than other engines. Like exchanges, these come in the same order on all ranks, end in `wait`, and what they are given stays until then. */
#ifndef WW__LOCAL_H
#define WW__LOCAL_H

#include "group/group.h"

/* Before the first word: this rank's device. Nothing for other engines. */
void ww__local_device(const ww_engine *engine, ww_device *device);

/* When all ranks have told, and all have GPUs of one driver: from here on the engine takes memory of any kind, and copies from GPU to
 * GPU. False for other engines, which stay as they are. */
bool ww__local_on_devices(ww_engine *engine);

/* Whether all ranks are GPUs of one driver: the same on all. */
bool ww__local_has_devices(const ww_engine *engine);

/* Whether ranks may lend: this one's kernels reach all others' memory. Each rank says something of its own (`mine`), and visits all others:
 * visit(visitor, theirs) queues work on this rank's device on what the other one lends; the last visit, on what any of
 * them lends. It has been done when wait returns, and others' work on what this rank lends, too. */
typedef void ww__visit(void *visitor, const void *theirs);
bool ww__local_lends(const ww_engine *engine);
ww_status ww__local_lend(const ww_engine *engine, const void *mine, ww__visit *visit, void *visitor, char *why);

#endif
