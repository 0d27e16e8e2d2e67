// Threads of this process, listed by the kernel.
#ifndef QS_TASK_LIST_H
#define QS_TASK_LIST_H

#include <stdbool.h>
#include <stdint.h>

// Calls `visit` with the id of every thread. Allocates: no. Returns false when /proc cannot be read.
bool qs_tasks_visit(void (*visit)(uint32_t tid, void *context), void *context);

// Calls `visit` with every entry name of this directory of /proc that is a number other than 0. Allocates: no. Returns
// false when it cannot be read.
bool qs_numbers_visit(const char *directory, void (*visit)(uint32_t number, void *context), void *context);

#endif
