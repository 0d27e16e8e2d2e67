// The threads of this process, from the kernel.
#ifndef QS_TASK_LIST_H
#define QS_TASK_LIST_H

#include <stdbool.h>
#include <stdint.h>

// Calls `visit` with the id of every thread. Allocates: no. False when /proc cannot be read.
bool qs_tasks_visit(void (*visit)(uint32_t tid, void *context), void *context);

#endif
