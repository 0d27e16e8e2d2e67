#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

// Makes an anonymous mapping larger without copying it: the kernel moves its pages where there is no room behind it. `mremap` takes a variable number of arguments,
// so Swift cannot call it.
//
// Returns where the mapping is now, NULL when there is no memory; then it is as it was.
void *qs_grow_mapping(void *mapping, size_t bytes, size_t larger);

#endif
