// Numbers for call sites: a lock-free hash table without removal. A hit costs one load and one comparison.
#include "code_table.h"

#include <string.h>

#include "../Events/event_writing.h"
#include "../Events/identity.h"
#include "../Events/lost_events.h"
#include "../Events/stream.h"
#include "../Gate/thread_guard.h"
#include "images.h"

enum {
	CODE_SLOTS = 1 << 16,
	CODE_PROBES = 64,
	// The first slots fit in two pages and hold the sites of most programs. Scattered over the whole table, every site
	// would touch a page of its own.
	NEAR_SLOTS = 1 << 9,
	NEAR_PROBES = 4,
};

// A slot belongs to its key for the life of the process, so the number of a site never changes. `epoch` is the session
// whose trace has the definition. It is written after the definition (release), so a thread that reads it (acquire) may
// use the number.
struct code_slot {
	uint64_t key;
	uint32_t epoch;
};

static struct code_slot slots[CODE_SLOTS];

// Finalizer of SplitMix64: a bijection that spreads every bit.
static uint64_t mix(uint64_t value)
{
	value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
	value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
	return value ^ (value >> 31);
}

// Slot of a key among `count` slots from `first` on. A new key claims a slot if `may_claim`. Returns NULL if it may
// not, or if all probed slots are taken; slots are never freed.
static inline struct code_slot *find_among(
	uint64_t key, uint32_t first, uint32_t count, uint32_t probes, bool may_claim, bool *is_new)
{
	for (uint32_t probe = 0; probe < probes; probe++) {
		struct code_slot *slot = &slots[first + (key + probe) % count];
		uint64_t found = __atomic_load_n(&slot->key, __ATOMIC_RELAXED);
		if (found == key) return slot;
		if (found != 0) continue;
		if (!may_claim) return NULL;
		*is_new = __atomic_compare_exchange_n(&slot->key, &found, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		if (*is_new) return slot;
		if (found == key) return slot; // another thread claimed it for the same site
	}
	return NULL;
}

static inline struct code_slot *find_or_claim(uint64_t key, bool may_claim, bool *is_new)
{
	if (key == 0) key = 1;
	struct code_slot *slot = find_among(key, 0, NEAR_SLOTS, NEAR_PROBES, may_claim, is_new);
	// The near slots are not claimed again here: all probed ones are taken.
	if (qs_likely(slot != NULL)) return slot;
	return find_among(key, NEAR_SLOTS, CODE_SLOTS - NEAR_SLOTS, CODE_PROBES, may_claim, is_new);
}

static struct code_slot *find_slot(uint64_t key)
{
	bool is_new;
	return find_or_claim(key, true, &is_new);
}

// Definition of a number: a call site, or an address with the function that was called with it.
struct code_definition {
	const char *symbol;
	size_t symbol_length;
	const char *file;
	size_t file_length;
	uint32_t line;
	uint64_t address;
	uint64_t thunk;
	uint32_t stack; // call stack of the site; 0: none
	uint32_t stack_epoch; // the session of that stack number
};

// By slot, for sessions that repeat definitions. Guarded by the definitions lock.
static struct code_definition definitions[CODE_SLOTS];

static void record(uint32_t number, const struct code_definition *definition)
{
	qs_record_code_symbol(number, definition->address, definition->symbol, definition->symbol_length, definition->file,
		definition->file_length, definition->line, definition->thunk);
	if (definition->stack != 0) qs_record_code_stack(number, definition->stack);
}

static uint32_t slot_number(const struct code_slot *slot)
{
	return (uint32_t)(slot - slots) + 1 + (qs_identity.is_joined ? QS_SHARED_FIRST_CODE : 0);
}

// Returns NULL for a number without a slot.
static struct code_slot *slot_of(uint32_t code)
{
	uint32_t index = code - 1 - (qs_identity.is_joined ? QS_SHARED_FIRST_CODE : 0);
	return code == 0 || index >= CODE_SLOTS ? NULL : &slots[index];
}

// Stores the definition for qs_codes_record_again. Returns false if the lock is not available.
static bool keep(const struct code_slot *slot, const struct code_definition *definition)
{
	if (qs_thread_inside) return false;
	qs_thread_inside = true;
	if (!qs_lock_take(&qs_definitions_lock)) {
		qs_thread_inside = false;
		return false;
	}
	struct code_definition *kept = &definitions[slot - slots];
	struct code_definition known = *kept;
	*kept = *definition;
	// Keep a stack that was noted in this session, when the definition was discarded and is written again.
	if (kept->stack == 0 && known.stack_epoch == __atomic_load_n(&qs_gate.epoch, __ATOMIC_RELAXED)) {
		kept->stack = known.stack;
		kept->stack_epoch = known.stack_epoch;
	}
	qs_lock_give_back(&qs_definitions_lock);
	qs_thread_inside = false;
	return true;
}

void qs_codes_record_again(void)
{
	uint32_t epoch = __atomic_load_n(&qs_gate.epoch, __ATOMIC_RELAXED);
	for (struct code_slot *slot = slots; slot < slots + CODE_SLOTS && epoch != 0; slot++) {
		if (__atomic_load_n(&slot->epoch, __ATOMIC_ACQUIRE) != epoch) continue;
		qs_thread_inside = true; // a signal handler must not wait for the lock
		bool has_lock = qs_lock_take(&qs_definitions_lock);
		struct code_definition definition = {.symbol = NULL};
		if (has_lock) {
			definition = definitions[slot - slots];
			qs_lock_give_back(&qs_definitions_lock);
		}
		qs_thread_inside = false;
		if (!has_lock) return;
		record(slot_number(slot), &definition);
	}
}

// Two threads may write the definition of a site at the same time; the definitions are equal. The definition includes
// the stack of `count` frames.
static uint32_t number_with_stack(
	struct code_slot *slot, struct code_definition *definition, const uint64_t *frames, uint16_t count)
{
	if (slot == NULL) return 0;
	uint32_t number = slot_number(slot);
	uint32_t epoch = __atomic_load_n(&qs_gate.epoch, __ATOMIC_RELAXED);
	if (qs_likely(__atomic_load_n(&slot->epoch, __ATOMIC_ACQUIRE) == epoch)) return number;
	uint64_t lost = qs_lost_definitions();
	if (definition->address != 0 || definition->thunk != 0) qs_images_request();
	if (count > 0) definition->stack = qs_define_stack(frames, count);
	definition->stack_epoch = epoch;
	bool is_kept = !qs_session_repeats_definitions() || keep(slot, definition);
	record(number, definition);
	// If a definition was discarded, here or at the same time on another thread, the site's next event tries again.
	if (is_kept && qs_lost_definitions() == lost) __atomic_store_n(&slot->epoch, epoch, __ATOMIC_RELEASE);
	return number;
}

static uint32_t number_of(struct code_slot *slot, struct code_definition *definition)
{
	return number_with_stack(slot, definition, NULL, 0);
}

uint32_t qs_code_site(const char *file, size_t file_length, uint32_t line)
{
	if (!qs_is_recording()) return 0;
	uint64_t key = mix((uint64_t)(uintptr_t)file + ((uint64_t)line << 48));
	struct code_definition definition = {.symbol = "", .file = file, .file_length = file_length, .line = line};
	return number_of(find_slot(key), &definition);
}

uint32_t qs_code_named(const char *symbol, size_t symbol_length, const char *file, size_t file_length, uint32_t line)
{
	if (!qs_is_recording()) return 0;
	uint64_t key = mix(mix((uint64_t)(uintptr_t)file + ((uint64_t)line << 48)) ^ (uint64_t)(uintptr_t)symbol);
	struct code_definition definition = {
		.symbol = symbol, .symbol_length = symbol_length, .file = file, .file_length = file_length, .line = line};
	return number_of(find_slot(key), &definition);
}

static __attribute__((noinline)) uint32_t find_address(uint64_t address, uint64_t thunk, uint64_t key)
{
	struct code_definition definition = {.symbol = "", .file = "", .address = address, .thunk = thunk};
	return number_of(find_slot(key), &definition);
}

uint32_t qs_code_address(uint64_t address, uint64_t thunk)
{
	uint32_t epoch = __atomic_load_n(&qs_gate.epoch, __ATOMIC_RELAXED);
	if (qs_unlikely(epoch == 0)) return 0;
	uint64_t key = mix(address ^ (thunk << 16 | thunk >> 48));
	// Nearly every key is in its first slot.
	const struct code_slot *slot = &slots[key % NEAR_SLOTS];
	bool is_known = qs_likely(__atomic_load_n(&slot->key, __ATOMIC_RELAXED) == key)
		&& qs_likely(__atomic_load_n(&slot->epoch, __ATOMIC_ACQUIRE) == epoch);
	return is_known ? slot_number(slot) : find_address(address, thunk, key);
}

uint32_t qs_code_call(const uint64_t *frames, uint16_t count)
{
	// Number of call paths in the table. They are limited, to leave room for other code.
	static uint32_t ways;
	if (!qs_is_recording()) return 0;
	if (count < 2) return qs_code_address(frames[0], 0);
	uint64_t key = count;
	for (uint16_t index = 0; index < count; index++) key = mix(key ^ frames[index]);
	bool is_new = false;
	bool may_claim = __atomic_load_n(&ways, __ATOMIC_RELAXED) < CODE_SLOTS / 4;
	struct code_slot *slot = find_or_claim(key, may_claim, &is_new);
	if (is_new) __atomic_fetch_add(&ways, 1, __ATOMIC_RELAXED);
	if (slot == NULL) return qs_code_address(frames[0], 0);
	struct code_definition definition = {.symbol = "", .file = "", .address = frames[0]};
	return number_with_stack(slot, &definition, frames, count);
}

void qs_code_note_stack(uint32_t code, uint32_t stack)
{
	const struct code_slot *slot = slot_of(code);
	if (slot != NULL && qs_session_repeats_definitions() && !qs_thread_inside) {
		qs_thread_inside = true;
		if (qs_lock_take(&qs_definitions_lock)) {
			definitions[slot - slots].stack = stack;
			definitions[slot - slots].stack_epoch = __atomic_load_n(&qs_gate.epoch, __ATOMIC_RELAXED);
			qs_lock_give_back(&qs_definitions_lock);
		}
		qs_thread_inside = false;
	}
	qs_record_code_stack(code, stack);
}

bool qs_code_is_defined(uint32_t code)
{
	const struct code_slot *slot = slot_of(code);
	// Pairs with the store in number_with_stack.
	return slot != NULL && __atomic_load_n(&slot->epoch, __ATOMIC_ACQUIRE) == qs_session_number();
}
