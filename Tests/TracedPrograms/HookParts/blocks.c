// The search for the closure that a closure of the overlay calls, without the other hooks. Prints "ok" when it finds
// the closure, and reads no context past its end.
#define _GNU_SOURCE
#include "../../../Sources/CDispatchInterposer/blocks.c"
#include "../../../Sources/CTraceRecorder/Gate/gate.c"
#include "../../../Sources/CTraceRecorder/Gate/thread_guard.c"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

__thread struct qs_hook_thread qs_hook_thread __attribute__((tls_model("initial-exec")));

// Code of the overlay and of the program. Nothing is executed there.
enum { OVERLAY = 0x10000000, PROGRAM = 0x20000000, CODE_BYTES = 0x10000 };

struct qs_text_range qs_overlay_text = {OVERLAY, CODE_BYTES};

enum qs_text_owner qs_text_owner(uintptr_t address)
{
	if (address - OVERLAY < CODE_BYTES) return QS_TEXT_SWIFT_DISPATCH;
	return address - PROGRAM < CODE_BYTES ? QS_TEXT_PROGRAM : QS_TEXT_NONE;
}

bool qs_is_text(uintptr_t address)
{
	return qs_text_owner(address) != QS_TEXT_NONE;
}

uint32_t qs_code_address(uint64_t address, uint64_t thunk)
{
	(void)thunk;
	return (uint32_t)(address - PROGRAM);
}

bool qs_code_is_defined(uint32_t code)
{
	(void)code;
	return true;
}

ssize_t qs_copy_memory(uintptr_t from, void *to, size_t bytes)
{
	struct iovec local = {to, bytes}, remote = {(void *)from, bytes};
	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
}

static void require(bool condition, const char *what)
{
	if (condition) return;
	printf("%s\n", what);
	exit(1);
}

// A copy of a context at the end of a page, in front of an inaccessible page.
static uintptr_t at_page_end(const uintptr_t *words, size_t count)
{
	char *memory = mmap(NULL, 2 * SMALLEST_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	require(memory != MAP_FAILED && mprotect(memory + SMALLEST_PAGE, SMALLEST_PAGE, PROT_NONE) == 0, "no memory");
	uintptr_t *context = (uintptr_t *)(memory + SMALLEST_PAGE) - count;
	memcpy(context, words, count * sizeof *words);
	return (uintptr_t)context;
}

#define AT_PAGE_END(...) \
	at_page_end((const uintptr_t[]){__VA_ARGS__}, sizeof((const uintptr_t[]){__VA_ARGS__}) / sizeof(uintptr_t))

// The code that a closure of the overlay calls; 0 when it is not found.
static uint32_t called_code(uintptr_t function, uintptr_t context, struct qs_known_code *outer)
{
	struct qs_captured_closure closure = {.function = function, .context = context};
	return qs_forwarded_code(&closure, outer)->code;
}

int main(void)
{
	qs_gate.epoch = 1;
	struct qs_known_code outer = {.code = 0};
	const uintptr_t program = PROGRAM + 16;

	// The closure calls nothing of the program.
	uintptr_t empty = AT_PAGE_END(0, 0, 1, 2);
	require(called_code(OVERLAY + 16, AT_PAGE_END(0, 0, OVERLAY, empty), &outer) == 0, "a path to nothing");

	// The first capture is the program's closure.
	uintptr_t usual = AT_PAGE_END(0, 0, program, 0);
	require(called_code(OVERLAY + 32, usual, &outer) == program - PROGRAM, "the first capture is not found");

	// The program's closure is a later capture of the overlay's second closure. The path is used for all closures with
	// the same function, also when their second closure is another one, with a smaller context.
	uintptr_t second = AT_PAGE_END(0, 0, 1, 2, 3, program, 0);
	uintptr_t longer = AT_PAGE_END(0, 0, OVERLAY, second), shorter = AT_PAGE_END(0, 0, OVERLAY, empty);
	for (int turn = 0; turn < 3; turn++) {
		require(called_code(OVERLAY + 48, longer, &outer) == program - PROGRAM, "the later capture is not found");
		require(outer.path != 0, "the path is not kept");
		require(called_code(OVERLAY + 48, shorter, &outer) == 0, "a function of another context");
	}
	puts("ok");
	return 0;
}
