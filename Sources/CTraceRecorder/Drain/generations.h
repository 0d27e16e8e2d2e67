// Flight recorder: definitions have a lifetime. After an eighth of the trace's limit a new generation of definitions
// begins: everything that exists is defined again, and the generations before the previous one are removed.
//
//	definitions  ├ head ┼ ┄ hole ┄ ┼ previous: living objects, then new ones ┼ current: living objects, …
//
// The recorder thread looks at the size after each run of the copier. So the definitions of a burst, at most the memory
// for events, exceed the limit until the generation after the next one.
//
// An event refers to something that exists at its time. So the generation of its time, or the next one, defines
// everything that the event refers to. A reader starts at the end of the hole, as it does for the other streams. Events
// of the few milliseconds in which a generation begins can refer to an object that ended in them; such an object has no
// name when the generation before is removed.
#ifndef QS_GENERATIONS_H
#define QS_GENERATIONS_H

#include <stdbool.h>
#include <stdint.h>

// Begins with the first generation of a session. `limit`: bytes of the trace, 0 for a session that overwrites nothing.
void qs_generations_start(uint64_t limit);

// Begins a new generation when the current one is complete, and returns whether it did. The caller then writes the
// images, and calls qs_generation_fill. Context: the recorder thread, after a run of the copier.
bool qs_generation_begin(void);

// Calls `define`, which writes the definitions of everything that exists, except the images.
void qs_generation_fill(void (*define)(void));

// Makes room in memory while a generation is filled: copies definitions into their file. Does nothing on other threads.
// Call it after every few hundred definitions, without a lock.
void qs_generation_make_room(void);

#endif
