#include "thread_guard.h"

__thread bool qs_thread_inside __attribute__((tls_model("initial-exec")));
__thread bool qs_thread_is_sandboxed __attribute__((tls_model("initial-exec")));
