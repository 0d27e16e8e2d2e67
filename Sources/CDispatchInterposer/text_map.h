// Where the process's code lies, to tell a pointer to code from other words, and the libraries that say nothing about
// the program. Nothing here takes the loader's lock where the C library can do without (glibc 2.35) and the system lets
// a process copy its own memory: a thread of the program may hold the lock and wait for another.
#ifndef QS_TEXT_MAP_H
#define QS_TEXT_MAP_H

#include "hooks.h"

enum qs_text_owner {
	QS_TEXT_NONE,               // not code
	QS_TEXT_PROGRAM,
	QS_TEXT_SWIFT_CONCURRENCY,
	QS_TEXT_SWIFT_DISPATCH,     // the overlay; a static program's is not told apart
	QS_TEXT_SWIFT_CORE,
};

// Whose code is at an address.
enum qs_text_owner qs_text_owner(uintptr_t address);

// Whether it is code at all: without a look at whose.
bool qs_is_text(uintptr_t address);

// Whether it is code, and a call ends just before it: what tells a return address from another pointer to code.
bool qs_is_return_address(uintptr_t address);

// The same for a thread that may hold the loader's lock, or wait for who does. False where this cannot be told without.
bool qs_is_return_address_without_lock(uintptr_t address);

// The code of an async function. Swift passes one as the address of its async function pointer: how far away the code
// lies, and how large its frame is. 0 for a word that is none.
uintptr_t qs_async_code(uintptr_t word);

// The overlay's code, once some of it was met: for a look without a search.
extern struct qs_text_range qs_overlay_text;

static inline bool qs_is_in_known_overlay(uintptr_t address)
{
	return address - qs_overlay_text.begin < qs_overlay_text.size;
}

static inline bool qs_is_in_overlay(uintptr_t address)
{
	if (qs_likely(qs_is_in_known_overlay(address))) return true;
	return qs_overlay_text.size == 0 && qs_text_owner(address) == QS_TEXT_SWIFT_DISPATCH;
}

#endif
