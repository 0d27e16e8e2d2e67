// Call stacks for rare events, each written once per session.
#ifndef QS_STACK_CAPTURE_H
#define QS_STACK_CAPTURE_H

#include "../System/lock.h"

// Guards the table of call stacks.
extern struct qs_lock qs_stacks_lock;

// Loads the unwinder, which allocates, so that the first unwinding does not have to. Nothing is unwound before this
// call. Blocks: takes the loader's lock.
void qs_unwinder_load(void);

// Writes the definitions of all stacks of the session again.
void qs_stacks_record_again(void);

#endif
