// The search for the program's return address on a stack, without the other hooks. Prints "ok" when it reads nothing
// past the end of a coroutine's stack.
#define _GNU_SOURCE
#include "../../../Sources/CDispatchInterposer/callers.c"
#include "../../../Sources/CTraceRecorder/Gate/gate.c"
#include "../../../Sources/CTraceRecorder/Gate/thread_guard.c"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

__thread struct qs_hook_thread qs_hook_thread __attribute__((tls_model("initial-exec")));

// Code of the overlay and of the program. Nothing is executed there.
enum { OVERLAY = 0x10000000, PROGRAM = 0x20000000, CODE_BYTES = 0x10000 };

struct qs_text_range qs_overlay_text = {OVERLAY, CODE_BYTES};
struct qs_text_range qs_libdispatch_texts[QS_LIBDISPATCH_TEXTS];
struct qs_text_range qs_hooks_text, qs_runners_text;

static bool is_own_stack;

bool qs_can_unwind(const void *frame)
{
	(void)frame;
	return is_own_stack;
}

enum qs_text_owner qs_text_owner(uintptr_t address)
{
	if (address - OVERLAY < CODE_BYTES) return QS_TEXT_SWIFT_DISPATCH;
	return address - PROGRAM < CODE_BYTES ? QS_TEXT_PROGRAM : QS_TEXT_NONE;
}

bool qs_is_text(uintptr_t address)
{
	return qs_text_owner(address) != QS_TEXT_NONE;
}

bool qs_is_return_address(uintptr_t address)
{
	return qs_is_text(address);
}

bool qs_is_return_address_without_lock(uintptr_t address)
{
	return qs_is_text(address);
}

ssize_t qs_copy_memory(uintptr_t from, void *to, size_t bytes)
{
	(void)from, (void)to, (void)bytes;
	return -1;
}

// No definition is needed.

uint32_t qs_code_address(uint64_t address, uint64_t thunk)
{
	(void)address, (void)thunk;
	return 0;
}

uint32_t qs_code_call(const uint64_t *frames, uint16_t count)
{
	(void)frames, (void)count;
	return 0;
}

bool qs_code_is_defined(uint32_t code)
{
	(void)code;
	return true;
}

void qs_code_note_stack(uint32_t code, uint32_t stack)
{
	(void)code, (void)stack;
}

uint32_t qs_capture_stack(uint32_t skip)
{
	(void)skip;
	return 0;
}

uint32_t qs_define_stack(const uint64_t *frames, uint16_t count)
{
	(void)frames, (void)count;
	return 0;
}

static void require(bool condition, const char *what)
{
	if (condition) return;
	printf("%s\n", what);
	exit(1);
}

int main(void)
{
	enum { PAGES = 2, WORDS = PAGES * SMALLEST_PAGE / sizeof(uintptr_t), FRAME_WORDS = 8 };
	const size_t bytes = (PAGES + 1) * SMALLEST_PAGE;
	uintptr_t *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	require(stack != MAP_FAILED && mprotect(stack + WORDS, SMALLEST_PAGE, PROT_NONE) == 0, "no memory");

	// The stack ends FRAME_WORDS after the hook's frame, and the program's function has made a tail call.
	const uintptr_t *frame = stack + WORDS - FRAME_WORDS;
	require(qs_releaser(OVERLAY, frame) == OVERLAY, "a return address on an empty stack");

	// In the middle of a page.
	stack[FRAME_WORDS] = PROGRAM;
	require(qs_releaser(OVERLAY, stack) == PROGRAM, "the return address is not found");

	// The frames of a thread's own stack are on two pages.
	frame = stack + WORDS / PAGES - FRAME_WORDS;
	stack[WORDS / PAGES + FRAME_WORDS] = PROGRAM;
	is_own_stack = true;
	require(qs_releaser(OVERLAY, frame) == PROGRAM, "the return address on the next page is not found");
	puts("ok");
	return 0;
}
