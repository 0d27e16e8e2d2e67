#ifndef CALLOCATIONCOUNT_H
#define CALLOCATIONCOUNT_H

#include <stdint.h>

// How many allocations the process has made. For a program that this library is preloaded into.
uint64_t benchmark_allocations(void);

#endif
