#include "blocks.h"

#include <string.h>

#include "text_map.h"

QS_SLOW_PATH struct qs_known_code *qs_find_code(uintptr_t captured, uintptr_t invoke)
{
	enum qs_text_owner owner = captured != 0 ? qs_text_owner(captured) : QS_TEXT_NONE;
	struct qs_known_code *known = qs_code_place(captured, invoke);
	known->captured = captured;
	known->invoke = invoke;
	known->session = qs_session_number();
	known->code = owner != QS_TEXT_NONE ? qs_code_address(captured, invoke) : qs_code_address(invoke, 0);
	known->has_stack = false;
	known->is_forwarder = owner == QS_TEXT_SWIFT_DISPATCH;
	known->is_job = captured == 0 && qs_text_owner(invoke) == QS_TEXT_SWIFT_CONCURRENCY;
	return known;
}

// From a closure of the overlay to the closure that it calls: the words of the contexts at which the next function
// stands. Looked for once for all closures with one function.
enum { MAX_HOPS = 4, CONTEXT_WORDS = 8, FORWARDERS = 64 };

struct forwarding_path {
	uintptr_t function;          // of the overlay's closure; 0: free; written last
	uint8_t hops;                // 0: there is no way
	uint8_t words[MAX_HOPS];
};

static struct forwarding_path paths[FORWARDERS];

static bool is_pointer(uintptr_t word)
{
	return word > 4096 && word % sizeof(void *) == 0 && word >> 47 == 0;
}

// A context begins with two words of its own; what it captures follows, a closure as function and context.
static bool find_path(const uintptr_t *context, struct forwarding_path *path)
{
	if (path->hops == MAX_HOPS) return false;
	uint8_t hop = path->hops++;
	for (uint8_t word = 2; word < CONTEXT_WORDS; word++) {
		if (!qs_is_text(context[word])) continue;
		path->words[hop] = word;
		if (!qs_is_in_overlay(context[word])) return true;
		if (is_pointer(context[word + 1]) && find_path((const uintptr_t *)context[word + 1], path)) return true;
	}
	path->hops = hop;
	return false;
}

static const struct forwarding_path *path_of(const struct qs_captured_closure *closure)
{
	struct forwarding_path *slot = &paths[closure->function / 16 % FORWARDERS];
	uintptr_t known = __atomic_load_n(&slot->function, __ATOMIC_ACQUIRE);
	if (qs_likely(known == closure->function)) return slot;
	if (known != 0) return NULL; // two in one slot: the second stays without
	struct forwarding_path path = {0};
	if (!find_path((const uintptr_t *)closure->context, &path)) path.hops = 0;
	// Threads that come here at the same time write the same.
	slot->hops = path.hops;
	memcpy(slot->words, path.words, sizeof slot->words);
	__atomic_store_n(&slot->function, closure->function, __ATOMIC_RELEASE);
	return slot;
}

// The code of a word that may be a function; 0 when it is none. What this thread met before needs no search.
static uint32_t code_of_word(uintptr_t word)
{
	const struct qs_known_code *known = qs_met_code(0, word);
	if (known != NULL) return known->code;
	return qs_is_text(word) ? qs_find_code(0, word)->code : 0;
}

QS_SLOW_PATH uint32_t qs_forwarded_code(const struct qs_captured_closure *closure)
{
	uint32_t code = qs_outer_code(closure)->code;
	if (!is_pointer(closure->context)) return code;
	const uintptr_t *context = (const uintptr_t *)closure->context;
	// The simplest way, of a sync without a value; closures with one function differ in this.
	uint32_t captured = qs_is_in_overlay(context[2]) ? 0 : code_of_word(context[2]);
	if (captured != 0) return captured;
	const struct forwarding_path *path = path_of(closure);
	if (path == NULL || path->hops == 0) return code;
	for (int hop = 0; hop + 1 < path->hops; hop++) {
		uintptr_t next = context[path->words[hop] + 1];
		if (!qs_is_in_overlay(context[path->words[hop]]) || !is_pointer(next)) return code;
		context = (const uintptr_t *)next;
	}
	uint32_t called = code_of_word(context[path->words[path->hops - 1]]);
	return called != 0 ? called : code;
}

// Where a job keeps the function that it runs, from the Swift ABI: an object header, two words for the scheduler, flags
// and id, the voucher and a reserved word come before it.
struct swift_job {
	void *header[2];
	void *scheduler[2];
	uint32_t flags, id;
	void *voucher;
	void *reserved;
	uintptr_t run;
};

uint32_t qs_function_code(qs_function_t work, const void *context, bool *is_job)
{
	const struct qs_known_code *known = qs_known_code(0, (uintptr_t)work);
	*is_job = known->is_job && context != NULL;
	if (!*is_job) return known->code;
	uint32_t run = code_of_word(((const struct swift_job *)context)->run);
	return run != 0 ? run : known->code;
}
