// Detects that the program installs a seccomp filter that kills for the recorder's system calls.
#ifndef QS_SANDBOXES_H
#define QS_SANDBOXES_H

#include "hooks.h"

// Makes the system call seccomp() with its arguments, and notes the filter.
long qs_call_seccomp(long operation, long flags, long arguments);

#endif
