// The threads of this process, from the kernel.
#ifndef QS_TASK_LIST_H
#define QS_TASK_LIST_H

#include <stdbool.h>
#include <stdint.h>

// Calls `visit` with the id of every thread. Allocates: no. False when /proc cannot be read.
bool qs_tasks_visit(void (*visit)(uint32_t tid, void *context), void *context);

// Calls `visit` with every number that is the name of an entry of this directory in /proc, but 0. Allocates: no. False when it cannot be read.
bool qs_numbers_visit(const char *directory, void (*visit)(uint32_t number, void *context), void *context);

#endif
