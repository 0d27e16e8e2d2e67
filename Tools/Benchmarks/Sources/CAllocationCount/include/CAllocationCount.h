#ifndef CALLOCATIONCOUNT_H
#define CALLOCATIONCOUNT_H

#include <stdint.h>

// Number of allocations that the process has made. For programs that preload this library.
uint64_t benchmark_allocations(void);

#endif
