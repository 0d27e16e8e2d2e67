#define _GNU_SOURCE
#include "CMemory.h"

#include <malloc.h>
#include <sys/mman.h>

void *qs_grow_mapping(void *mapping, size_t bytes, size_t larger) {
    void *moved = mremap(mapping, bytes, larger, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? NULL : moved;
}

void qs_keep_freed_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_TOP_PAD, 256 << 10);
}
