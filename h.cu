#include "device/kernel/types.cuh"
