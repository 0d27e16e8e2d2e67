#include "blocked_stack.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../System/memory_copy.h"
#include "../System/system_calls.h"
#include "../System/system_clock.h"
#include "call_code.h"

// MARK: Code

// Instruction before an address.
struct call {
	uintptr_t address;
	uintptr_t function; // target of the call; 0 when it is not known
	bool is_call;       // a call ends there, so the address may be a return address
};

// Mapped code of the process. Read again when an address is not found, at most once a second, because libraries are
// rarely loaded and unloaded.
enum { MAX_RANGES = 512, CALL_BITS = 10, REFRESH_PAUSE_NS = 1000 * 1000 * 1000 };

static struct {
	struct range {
		uintptr_t begin, end;
	} ranges[MAX_RANGES];
	uint32_t count;
	int64_t read_ns;
	struct call calls[1 << CALL_BITS]; // cache of lookups, by address: copying memory takes most of the time
} code;

// Parses one line of /proc/self/maps: "begin-end rwxp …", sorted by address.
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
	memset(code.calls, 0, sizeof code.calls);
	char text[8192];
	size_t kept = 0; // start of a line whose rest is not read yet
	bool is_cut = false; // the current line is longer than the buffer
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

// Mapping that contains an address, NULL when it is not code.
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

static void refresh_mappings(uintptr_t address)
{
	int64_t now_ns = qs_clock_system(CLOCK_MONOTONIC);
	if (code.count != 0 && (is_code(address) || now_ns - code.read_ns < REFRESH_PAUSE_NS)) return;
	read_mappings();
	code.read_ns = now_ns;
}

#if defined(__x86_64__)
static bool read_word(uintptr_t address, uintptr_t *word)
{
	return qs_copy_memory(address, word, sizeof *word) == sizeof *word;
}

// Target of a 32-bit offset, relative to the next instruction.
static uintptr_t branch_target(uintptr_t next, const uint8_t *bytes)
{
	int32_t offset;
	memcpy(&offset, bytes, sizeof offset);
	return next + (uintptr_t)(intptr_t)offset;
}

// Target of a call or jump to this address, after following a PLT stub and its table.
static uintptr_t follow_stub(uintptr_t function)
{
	enum { INDIRECT = 0xFF, JUMP_BY_TABLE = 0x25, BOUND = 0xF2 };
	static const uint8_t landing[] = {0xF3, 0x0F, 0x1E, 0xFA}; // endbr64
	uint8_t stub[sizeof landing + 7];
	if (qs_copy_memory(function, stub, sizeof stub) != sizeof stub) return function;
	size_t jump = memcmp(stub, landing, sizeof landing) == 0 ? sizeof landing : 0;
	if (stub[jump] == BOUND) jump += 1;
	if (stub[jump] != INDIRECT || stub[jump + 1] != JUMP_BY_TABLE) return function;
	uintptr_t entry = branch_target(function + jump + 6, stub + jump + 2);
	return read_word(entry, &function) ? function : 0;
}
#endif

// Target of the call that ends with these bytes, directly before an address; 0 when the instruction does not contain
// it.
static uintptr_t called_function(uintptr_t address, const uint8_t *bytes)
{
#if defined(__x86_64__)
	enum { CALL = 0xE8, INDIRECT = 0xFF, CALL_BY_TABLE = 0x15 };
	const uint8_t *operand = bytes + QS_LONGEST_CALL - sizeof(int32_t);
	uintptr_t function = branch_target(address, operand);
	bool is_by_table = operand[-2] == INDIRECT && operand[-1] == CALL_BY_TABLE;
	if (is_by_table) return read_word(function, &function) ? function : 0;
	return operand[-1] == CALL ? follow_stub(function) : 0;
#else
	(void)address, (void)bytes;
	return 0;
#endif
}

static struct call call_before(uintptr_t address)
{
	uint8_t bytes[QS_LONGEST_CALL];
	struct call call = {.address = address};
	if (!qs_is_aligned_code(address) || !is_code(address) || !is_code(address - sizeof bytes)) return call;
	struct call *known = &code.calls[address * (uint64_t)0x9E3779B97F4A7C15u >> (64 - CALL_BITS)];
	if (known->address == address) return *known;
	bool is_read = qs_copy_memory(address - sizeof bytes, bytes, sizeof bytes) == sizeof bytes;
	call.is_call = is_read && qs_ends_call(bytes);
	if (call.is_call) call.function = called_function(address, bytes);
	*known = call;
	return call;
}

static bool is_return_address(uintptr_t word)
{
	return call_before(word).is_call;
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

// Position of the frame that the word at `position` points to as a saved frame pointer; 0 when it points to none.
static size_t linked_frame(const struct stack_copy *copy, size_t position)
{
	// Bit that Swift sets in the frame pointers of async functions.
	const uintptr_t is_async = (uintptr_t)1 << 60;
	uintptr_t link = stack[position] & ~is_async;
	uintptr_t here = copy->pointer + position * sizeof *stack;
	if (link <= here || link % sizeof *stack != 0) return 0;
	size_t linked = (link - copy->pointer) / sizeof *stack;
	return linked + 1 < copy->words ? linked : 0;
}

// Whether the return address at `position` belongs to a frame whose caller, and the caller's caller, keep frame
// pointers.
static bool is_frame(const struct stack_copy *copy, size_t position)
{
	size_t next = position > 0 && position < copy->words ? linked_frame(copy, position - 1) : 0;
	return next != 0 && is_return_address(stack[position]) && is_return_address(stack[next + 1]);
}

// Words that may be return addresses, and the call targets. Most of them are leftovers of earlier calls.
static struct candidate {
	uintptr_t address, function;
	size_t position;
} candidates[64];

static size_t find_candidates(size_t words)
{
	size_t count = 0;
	for (size_t position = 0; position < words && count < sizeof candidates / sizeof *candidates; position++) {
		struct call call = call_before(stack[position]);
		if (call.is_call) candidates[count++] = (struct candidate){call.address, call.function, position};
	}
	return count;
}

// Whether an address may be in the function that starts there. Functions of the C library are at most 4 KiB, others 64.
static bool may_contain(uintptr_t function, uintptr_t address, const struct range *library)
{
	uintptr_t most = range_of(address) == library ? 4 << 10 : 64 << 10;
	return function != 0 && function <= address && address - function < most && range_of(function) == range_of(address);
}

// Whether a small function ends in a jump to a function of the C library that contains an address.
static bool may_tail_call(uintptr_t function, uintptr_t address, const struct range *library)
{
#if defined(__x86_64__)
	enum { JUMP = 0xE9, JUMP_BYTES = 5, MOST = 256 };
	uint8_t bytes[MOST];
	if (function == 0 || qs_copy_memory(function, bytes, sizeof bytes) != sizeof bytes) return false;
	for (size_t place = 0; place + JUMP_BYTES <= sizeof bytes; place++) {
		if (bytes[place] != JUMP) continue;
		uintptr_t target = branch_target(function + place + JUMP_BYTES, bytes + place + 1);
		if (is_code(target) && may_contain(follow_stub(target), address, library)) return true;
	}
#else
	(void)function, (void)address, (void)library;
#endif
	return false;
}

// Candidate, from `next` on, that called the function that contains `inner`. If there are several, the one whose
// target is nearest to `inner`. Returns `count` when there is none.
static size_t find_caller(uintptr_t inner, size_t next, size_t count, const struct range *library)
{
	size_t found = count;
	for (size_t index = next; index < count; index++) {
		if (!may_contain(candidates[index].function, inner, library)) continue;
		if (found == count || candidates[index].function > candidates[found].function) found = index;
	}
	return found;
}

// The same when a function of the C library, or a hook, has jumped to the function that contains `inner`.
static size_t find_distant_caller(uintptr_t inner, size_t next, size_t count, const struct range *library)
{
	const struct range *hooks = range_of((uintptr_t)find_caller);
	for (size_t index = next; index < count; index++) {
		if (may_tail_call(candidates[index].function, inner, library)) return index;
	}
	for (size_t index = next; index < count; index++) {
		const struct range *called = range_of(candidates[index].function);
		if (candidates[index].function == 0 || called == library || called == hooks) return index;
	}
	return count;
}

// First candidate with a frame pointer whose call target is not known from the instruction.
static size_t find_indirect_caller(const struct stack_copy *copy, size_t next, size_t count)
{
	while (next < count && !(candidates[next].function == 0 && is_frame(copy, candidates[next].position))) next++;
	return next;
}

// Position of the caller's return address, from the frame pointer next to the word at `position`. 0 when there is none,
// or when it did not call the function that contains `inner`.
static size_t framed_caller(
	const struct stack_copy *copy, size_t position, uintptr_t inner, uintptr_t nearest, const struct range *library)
{
	if (!is_frame(copy, position)) return 0;
	size_t caller = linked_frame(copy, position - 1) + 1;
	uintptr_t function = call_before(stack[caller]).function;
	bool is_caller = function == 0 || (function >= nearest && may_contain(function, inner, library));
	return is_caller ? caller : 0;
}

uint16_t qs_blocked_stack_read(uintptr_t address, uintptr_t pointer, uint64_t *frames, uint16_t most)
{
	refresh_mappings(address);
	frames[0] = address;
	uint16_t frame = 1;
	if (pointer % sizeof *stack != 0) return frame;
	struct stack_copy copy = {pointer, copy_stack(pointer)};
	enum { SCANNED_WORDS = 512 };
	size_t count = find_candidates(copy.words < SCANNED_WORDS ? copy.words : SCANNED_WORDS);
	uintptr_t inner = address;
	const struct range *library = range_of(inner);
	size_t next = 0, position = 0;
	bool is_in_library = true; // all frames so far
	while (frame < most) {
		size_t index = find_caller(inner, next, count, library);
		uintptr_t nearest = index < count ? candidates[index].function : 0;
		size_t framed = framed_caller(&copy, position, inner, nearest, library);
		if (framed == 0) {
			if (index == count && is_in_library) index = find_distant_caller(inner, next, count, library);
			if (index == count) index = find_indirect_caller(&copy, next, count);
			if (index == count) break;
		}
		position = framed != 0 ? framed : candidates[index].position;
		inner = stack[position];
		is_in_library = is_in_library && range_of(inner) == library;
		frames[frame++] = inner;
		while (next < count && candidates[next].position <= position) next++;
	}
	return frame;
}
