#ifndef QS_OLD_GLIBC_H
#define QS_OLD_GLIBC_H

#include <stdbool.h>

// Whether the process has the thread functions that the recorder needs.
bool qs_has_thread_functions(void);

#endif
