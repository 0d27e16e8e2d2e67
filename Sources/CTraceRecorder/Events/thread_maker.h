// The thread that made this thread, and when, for thread_start.
//
//	maker    ─ stamp ─ pthread_create ─
//	thread                              set ─ … ─ first event: thread_start
#ifndef QS_THREAD_MAKER_H
#define QS_THREAD_MAKER_H

#include <stdint.h>

// This thread as the maker of a new one: its id, and the time in µs in the lower half. Context: any thread. Allocates:
// no. Blocks: no.
uint64_t qs_thread_maker_stamp(void);

// Notes the maker of this thread. Context: a new thread, before it runs code of the program, and at most an hour after
// the stamp.
void qs_thread_maker_set(uint64_t stamp);

// Id of this thread's maker, and the time since its stamp. Both are 0 when the maker is unknown.
uint32_t qs_thread_maker(uint64_t *age_ns);

// Forgets the maker in a forked child, in which it does not exist.
void qs_thread_maker_forget(void);

#endif
