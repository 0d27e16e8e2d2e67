// Addresses of the process's code: separates code pointers from other words, and identifies libraries whose code does
// not identify the program. With glibc 2.35 and a system that lets a process copy its own memory, nothing here takes
// the loader's lock, because a thread of the program may hold it and wait for another thread.
#ifndef QS_TEXT_MAP_H
#define QS_TEXT_MAP_H

#include "hooks.h"

enum qs_text_owner {
	QS_TEXT_NONE,               // not code
	QS_TEXT_PROGRAM,
	QS_TEXT_SWIFT_CONCURRENCY,
	QS_TEXT_SWIFT_DISPATCH,     // the overlay; most static programs do not distinguish it: see text_map.c
	QS_TEXT_SWIFT_CORE,
};

// The owner of the code at an address.
enum qs_text_owner qs_text_owner(uintptr_t address);

// Whether the address is code.
bool qs_is_text(uintptr_t address);

// Whether the address is code directly after a call instruction, as a return address is.
bool qs_is_return_address(uintptr_t address);

// The same for a thread that may hold the loader's lock or wait for its holder. False when the answer needs the lock.
bool qs_is_return_address_without_lock(uintptr_t address);

// The code of an async function. Swift passes such a function as the address of its async function pointer: the
// relative address of the code and the frame size. Returns 0 when the word is not an async function pointer.
uintptr_t qs_async_code(uintptr_t word);

// The overlay's code, set when an address in it was first looked up. Allows a check without a search.
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
