// A fork of the recorded process: a consistent copy of the recorder's state, and silence in the child.
#ifndef QS_FORK_HANDLERS_H
#define QS_FORK_HANDLERS_H

#include <stdbool.h>

// Registers the recorder's fork handlers, once. The handlers that are registered first take their locks last. Context:
// any constructor.
bool qs_process_hear_of_forks(void);

// Sets a function that resets the control socket in a forked child. Context: any.
void qs_process_call_in_child(void (*forget)(void));

// Registers the handlers for fork and thread exit, and reserves memory for streams; once. Returns false when there is
// no memory. Context: a constructor, or a session's start.
bool qs_process_prepare(void);

#endif
