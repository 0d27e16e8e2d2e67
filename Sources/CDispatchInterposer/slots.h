// The slots of the loaded objects through which they call functions of other objects (global offset table). A session
// writes the addresses of the hooks into them, and its end restores the addresses of the originals. A program that is
// not recorded runs its own code.
//
//	dispatch_async(queue, block)  ─►  slot of the caller's object  ─►  original     no session
//	                                                               └►  hook         session
#ifndef QS_SLOTS_H
#define QS_SLOTS_H

#include <stdint.h>

// Directs the calls of libdispatch and the Swift runtime to the originals of exported hooks, while no session records.
// Context: the constructor of the preload object.
void qs_slots_release_runtime(void);

// Directs the calls of all loaded objects to the hooks. Waits for other threads that open or close a library; libraries
// that this thread is opening must be relocated, as in their constructors. Preserves errno. Context: no lock is held.
void qs_slots_install(void);

// Call before and after a dlopen during a session. The end directs the calls of new libraries to the hooks. It waits at
// most 10 ms for another thread that writes slots; the recorder thread then directs the calls.
void qs_slots_open_begin(void);
void qs_slots_open_end(void);

// Call before a dlopen whose end the caller does not see: the recorder thread looks for the new libraries.
void qs_slots_expect_library(void);

// Looks for new libraries. Returns the time of the next call. Times in nanoseconds of CLOCK_MONOTONIC. Context: the
// recorder thread.
int64_t qs_slots_tick(int64_t now_ns);

// Restores the slots. A hook may still be called: by threads that have read a slot, and by function pointers that the
// program took from a slot.
void qs_slots_restore(void);

#endif
