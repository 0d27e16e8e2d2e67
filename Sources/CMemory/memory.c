#define _GNU_SOURCE
#include "CMemory.h"

#include <sys/mman.h>

void *qs_grow_mapping(void *mapping, size_t bytes, size_t larger) {
    void *moved = mremap(mapping, bytes, larger, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? NULL : moved;
}
