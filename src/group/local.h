/* What a group tells the engine of threads when it opens, beyond the engine's five functions: which devices its ranks have. */
#ifndef WW__LOCAL_H
#define WW__LOCAL_H

#include "group/group.h"

/* Before the first word: this rank's device. Nothing for other engines. */
void ww__local_device(const ww_engine *engine, ww_device *device);

/* When all ranks have told, and all have GPUs of one driver: from here on the engine takes memory of any kind, and copies from GPU to
 * GPU. False for other engines, which stay as they are. */
bool ww__local_on_devices(ww_engine *engine);

#endif
