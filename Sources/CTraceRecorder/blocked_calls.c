#include "blocked_calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "call_code.h"
#include "clock.h"
#include "memory_copy.h"
#include "system_calls.h"

// MARK: System calls

// Those in which threads wait, by the numbers of this architecture.
static const struct {
	long number;
	const char *name;
} known_calls[] = {
#define QS_CALL(name) {SYS_##name, #name},
	QS_CALL(accept) QS_CALL(accept4) QS_CALL(clock_nanosleep) QS_CALL(connect) QS_CALL(epoll_pwait) QS_CALL(fdatasync)
	QS_CALL(fcntl) QS_CALL(flock) QS_CALL(fsync) QS_CALL(ftruncate) QS_CALL(futex) QS_CALL(getdents64) QS_CALL(ioctl)
	QS_CALL(madvise) QS_CALL(mmap) QS_CALL(mprotect) QS_CALL(msgrcv) QS_CALL(msync) QS_CALL(munmap) QS_CALL(nanosleep)
	QS_CALL(openat) QS_CALL(ppoll) QS_CALL(pread64) QS_CALL(preadv) QS_CALL(pselect6) QS_CALL(pwrite64) QS_CALL(pwritev)
	QS_CALL(read) QS_CALL(readv) QS_CALL(recvfrom) QS_CALL(recvmsg) QS_CALL(rt_sigtimedwait) QS_CALL(sched_yield)
	QS_CALL(semtimedop) QS_CALL(sendfile) QS_CALL(sendmsg) QS_CALL(sendto) QS_CALL(splice) QS_CALL(sync)
	QS_CALL(unlinkat) QS_CALL(wait4) QS_CALL(waitid) QS_CALL(write) QS_CALL(writev)
#ifdef SYS_poll
	QS_CALL(epoll_wait) QS_CALL(open) QS_CALL(poll) QS_CALL(rename) QS_CALL(select) QS_CALL(unlink)
#endif
#undef QS_CALL
};

static const char *name_of(long number)
{
	for (size_t index = 0; index < sizeof known_calls / sizeof known_calls[0]; index++) {
		if (known_calls[index].number == number) return known_calls[index].name;
	}
	return "";
}

// MARK: Code

// Where the process's code is mapped. Read anew when an address is not found, at most once a second: libraries come and
// go seldom.
enum { MAX_RANGES = 512, REFRESH_PAUSE_NS = 1000 * 1000 * 1000 };

static struct {
	struct range {
		uintptr_t begin, end;
	} ranges[MAX_RANGES];
	uint32_t count;
	int64_t read_ns;
} code;

// Takes in one line of /proc/self/maps: "begin-end rwxp …", sorted by address.
static void add_mapping(const char *line)
{
	char *rest;
	uintptr_t begin = strtoul(line, &rest, 16);
	if (*rest != '-') return;
	uintptr_t end = strtoul(rest + 1, &rest, 16);
	bool is_code = rest[0] == ' ' && rest[1] != 0 && rest[2] != 0 && rest[3] == 'x';
	if (is_code && code.count < MAX_RANGES) code.ranges[code.count++] = (struct range){begin, end};
}

static void read_mappings(void)
{
	int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (file < 0) return;
	code.count = 0;
	char text[8192];
	size_t kept = 0; // the begin of a line whose rest is still to come
	bool is_cut = false; // a line that is longer than the text
	ssize_t bytes;
	while ((bytes = read(file, text + kept, sizeof text - 1 - kept)) > 0) {
		char *end = text + kept + bytes;
		char *line = text;
		for (char *stop; (stop = memchr(line, '\n', (size_t)(end - line))) != NULL; line = stop + 1) {
			*stop = 0;
			if (!is_cut) add_mapping(line);
			is_cut = false;
		}
		kept = (size_t)(end - line);
		if (kept == sizeof text - 1) {
			text[kept] = 0;
			if (!is_cut) add_mapping(text);
			is_cut = true;
			kept = 0;
		}
		memmove(text, line, kept);
	}
	close(file);
}

// The mapping that an address is in, NULL when that is no code.
static const struct range *range_of(uintptr_t address)
{
	uint32_t low = 0, high = code.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (code.ranges[middle].end <= address) low = middle + 1;
		else high = middle;
	}
	return low < code.count && code.ranges[low].begin <= address ? &code.ranges[low] : NULL;
}

static bool is_code(uintptr_t address)
{
	return range_of(address) != NULL;
}

static bool is_return_address(uintptr_t word)
{
	uint8_t bytes[QS_LONGEST_CALL];
	if (!qs_is_aligned_code(word) || !is_code(word) || !is_code(word - sizeof bytes)) return false;
	return qs_copy_memory(word - sizeof bytes, bytes, sizeof bytes) == sizeof bytes && qs_ends_call(bytes);
}

static bool read_word(uintptr_t address, uintptr_t *word)
{
	return qs_copy_memory(address, word, sizeof *word) == sizeof *word;
}

#if defined(__x86_64__)
// The address that these four bytes say, relative to the instruction after them.
static uintptr_t relative_to(uintptr_t next, const uint8_t *bytes)
{
	int32_t offset;
	memcpy(&offset, bytes, sizeof offset);
	return next + (uintptr_t)(intptr_t)offset;
}
#endif

// The function that the call in front of this address calls, also through a table of the linker's; 0 when the
// instruction does not say.
static uintptr_t called_function(uintptr_t address)
{
#if defined(__x86_64__)
	enum { CALL = 0xE8, INDIRECT = 0xFF, CALL_BY_TABLE = 0x15, JUMP_BY_TABLE = 0x25, BOUND = 0xF2 };
	static const uint8_t landing[] = {0xF3, 0x0F, 0x1E, 0xFA}; // endbr64
	uint8_t bytes[QS_LONGEST_CALL], stub[sizeof landing + 7];
	if (qs_copy_memory(address - sizeof bytes, bytes, sizeof bytes) != sizeof bytes) return 0;
	const uint8_t *operand = bytes + sizeof bytes - sizeof(int32_t);
	uintptr_t function = relative_to(address, operand);
	bool is_by_table = operand[-2] == INDIRECT && operand[-1] == CALL_BY_TABLE;
	if (is_by_table) return read_word(function, &function) ? function : 0;
	if (operand[-1] != CALL) return 0;
	if (qs_copy_memory(function, stub, sizeof stub) != sizeof stub) return function;
	size_t jump = memcmp(stub, landing, sizeof landing) == 0 ? sizeof landing : 0;
	if (stub[jump] == BOUND) jump += 1;
	if (stub[jump] != INDIRECT || stub[jump + 1] != JUMP_BY_TABLE) return function;
	uintptr_t entry = relative_to(function + jump + 6, stub + jump + 2);
	return read_word(entry, &function) ? function : 0;
#else
	(void)address;
	return 0;
#endif
}

// MARK: The stack

enum { STACK_WORDS = QS_MOST_COPIED / sizeof(uintptr_t) };

static uintptr_t stack[STACK_WORDS];

// Copies the stack from its pointer on, up to its end or STACK_WORDS. Returns the number of words.
static size_t copy_stack(uintptr_t pointer)
{
	ssize_t bytes = qs_copy_memory(pointer, stack, sizeof stack);
	return bytes > 0 ? (size_t)bytes / sizeof *stack : 0;
}

struct stack_copy {
	uintptr_t pointer;
	size_t words;
};

// Where the frame lies that the word at `position` points to as a saved frame pointer; 0 when it does not.
static size_t linked_frame(const struct stack_copy *copy, size_t position)
{
	// A bit that Swift sets in the frame pointers of async functions.
	const uintptr_t is_async = (uintptr_t)1 << 60;
	uintptr_t link = stack[position] & ~is_async;
	uintptr_t here = copy->pointer + position * sizeof *stack;
	if (link <= here || link % sizeof *stack != 0) return 0;
	size_t linked = (link - copy->pointer) / sizeof *stack;
	return linked + 1 < copy->words ? linked : 0;
}

// Whether a frame whose caller, and that one's caller too, keep frame pointers is there.
static bool is_frame(const struct stack_copy *copy, size_t position)
{
	size_t next = position + 1 < copy->words ? linked_frame(copy, position) : 0;
	return next != 0 && is_return_address(stack[position + 1]) && is_return_address(stack[next + 1]);
}

// The words that may be return addresses, and the functions that were called. Most of them are what earlier calls left.
static struct candidate {
	uintptr_t address, function;
	size_t position;
} candidates[64];

static size_t find_candidates(size_t words)
{
	size_t count = 0;
	for (size_t position = 0; position < words && count < sizeof candidates / sizeof *candidates; position++) {
		uintptr_t word = stack[position];
		if (is_return_address(word)) candidates[count++] = (struct candidate){word, called_function(word), position};
	}
	return count;
}

// Whether an address may be in the function that begins there. Those of the C library are small.
static bool may_contain(uintptr_t function, uintptr_t address, const struct range *library)
{
	uintptr_t most = range_of(address) == library ? 4 << 10 : 64 << 10;
	return function != 0 && function <= address && address - function < most && range_of(function) == range_of(address);
}

// The candidate from `next` on that called the function in which `inner` is; `count` when there is none. A function of
// the C library, or a hook, may have gone on in another one: then the first that called one of these.
static size_t find_caller(uintptr_t inner, size_t next, size_t count, const struct range *library)
{
	const struct range *hooks = range_of((uintptr_t)find_caller);
	for (size_t index = next; index < count; index++) {
		if (may_contain(candidates[index].function, inner, library)) return index;
	}
	if (range_of(inner) != library) return count;
	for (; next < count; next++) {
		const struct range *called = range_of(candidates[next].function);
		if (candidates[next].function == 0 || called == library || called == hooks) break;
	}
	return next;
}

static void add_frame(struct qs_blocked_call *call, uintptr_t address)
{
	if (call->count < QS_BLOCKED_FRAMES) call->frames[call->count++] = address;
}

static void follow_frames(const struct stack_copy *copy, size_t position, struct qs_blocked_call *call)
{
	while (position != 0 && position + 1 < copy->words && is_return_address(stack[position + 1])) {
		add_frame(call, stack[position + 1]);
		position = linked_frame(copy, position);
	}
}

static void read_stack(uintptr_t pointer, struct qs_blocked_call *call)
{
	if (pointer % sizeof *stack != 0) return;
	struct stack_copy copy = {pointer, copy_stack(pointer)};
	const struct range *library = range_of(call->frames[0]);
	uintptr_t inner = call->frames[0];
	size_t count = find_candidates(copy.words);
	size_t index, next = 0;
	while ((index = find_caller(inner, next, count, library)) < count) {
		const struct candidate *caller = &candidates[index];
		inner = caller->address;
		add_frame(call, inner);
		if (caller->position > 0 && is_frame(&copy, caller->position - 1)) {
			follow_frames(&copy, linked_frame(&copy, caller->position - 1), call);
			return;
		}
		next = index + 1;
	}
	// Called by an address that no instruction tells.
	for (; next < count; next++) {
		const struct candidate *caller = &candidates[next];
		if (caller->function != 0 || caller->position == 0 || !is_frame(&copy, caller->position - 1)) continue;
		follow_frames(&copy, caller->position - 1, call);
		return;
	}
}

// MARK: The question

enum { ANSWER_SIZE = 256 };

// Reads "NUMBER ARGUMENT… POINTER ADDRESS", "-1 POINTER ADDRESS" outside of system calls, or "running".
static bool read_answer(uint32_t tid, char text[ANSWER_SIZE])
{
	snprintf(text, ANSWER_SIZE, "/proc/self/task/%u/syscall", tid);
	int file = open(text, O_RDONLY | O_CLOEXEC);
	if (file < 0) return false;
	ssize_t bytes = read(file, text, ANSWER_SIZE - 1);
	close(file);
	if (bytes <= 0) return false;
	text[bytes] = 0;
	return true;
}

// Not the state in another file: a thread that is about to sleep has it before it leaves its processor. For this one
// the kernel waits until it has left.
enum qs_thread_state qs_thread_state_read(uint32_t tid)
{
	char text[ANSWER_SIZE];
	if (!read_answer(tid, text)) return QS_THREAD_UNKNOWN;
	if (text[0] == '-' || (text[0] >= '0' && text[0] <= '9')) return QS_THREAD_BLOCKED;
	return text[0] == 'r' ? QS_THREAD_RUNNABLE : QS_THREAD_UNKNOWN;
}

bool qs_blocked_call_read(uint32_t tid, struct qs_blocked_call *call)
{
	char text[ANSWER_SIZE];
	if (!read_answer(tid, text)) return false;
	char *rest;
	long number = strtol(text, &rest, 10);
	if (rest == text) return false;
	unsigned long long fields[8];
	size_t count = 0;
	for (char *field = rest; count < 8; field = rest) {
		fields[count] = strtoull(field, &rest, 16);
		if (rest == field) break;
		count++;
	}
	if (count < 2) return false;
	uintptr_t pointer = (uintptr_t)fields[count - 2], address = (uintptr_t)fields[count - 1];
	int64_t now_ns = qs_clock_system(CLOCK_MONOTONIC);
	if (code.count == 0 || (!is_code(address) && now_ns - code.read_ns >= REFRESH_PAUSE_NS)) {
		read_mappings();
		code.read_ns = now_ns;
	}
	*call = (struct qs_blocked_call){.name = number >= 0 ? name_of(number) : "", .count = 1, .frames = {address}};
	read_stack(pointer, call);
	return true;
}
