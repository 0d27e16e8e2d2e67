#ifdef QS_FRONT_END_PRELOAD

#include "hook_table.h"

#include <string.h>

#include "conditions.h"

#define QS_LISTED_HOOKS(X) QS_ORIGINALS(X) QS_PRELOAD_ORIGINALS(X) QS_FOUNDATION_ORIGINALS(X)

#define QS_DECLARATION(result, name, parameters) extern result QS_HOOK_SYMBOL(name) parameters;
QS_LISTED_HOOKS(QS_DECLARATION)
#undef QS_DECLARATION

static struct qs_hook hooks[] = {
#define QS_ENTRY(result, name, parameters) \
	{#name, NULL, (uintptr_t)QS_HOOK_SYMBOL(name), (void **)&qs_originals.name, false},
	QS_LISTED_HOOKS(QS_ENTRY)
#undef QS_ENTRY
#ifdef QS_OLD_CONDITIONS
	{"pthread_cond_wait", QS_OLD_CONDITIONS, (uintptr_t)qs_old_cond_wait, (void **)&qs_old_conditions.wait,
		false},
	{"pthread_cond_timedwait", QS_OLD_CONDITIONS, (uintptr_t)qs_old_cond_timedwait,
		(void **)&qs_old_conditions.timedwait, false},
#endif
};

// The names of the functions that a static program can wrap, for `queuescope link-flags`.
#define QS_NAME(result, name, parameters) #name "\0"
__attribute__((section("qs_hook_names"), used)) static const char names[] = QS_ORIGINALS(QS_NAME);
#undef QS_NAME

enum { HOOKS = sizeof hooks / sizeof hooks[0], PLACES = 512, PLACE_BITS = 9 };
_Static_assert(HOOKS < PLACES / 2, "the indices have room");

// Indices with open addressing: a hook's number plus one, 0 for a free place. Entries are added, never removed.
static uint16_t by_name[PLACES], by_address[PLACES], by_original[PLACES];

static bool is_exported(const char *name)
{
	return strcmp(name, "syscall") == 0 || strcmp(name, "prctl") == 0;
}

static uint32_t place_of_name(const char *name)
{
	uint32_t hash = 5381;
	for (; *name != 0; name++) hash = hash * 33 + (unsigned char)*name;
	return hash % PLACES;
}

static uint32_t place_of_address(uintptr_t address)
{
	return (uint32_t)(address * 0x9E3779B97F4A7C15u >> (64 - PLACE_BITS));
}

// Several threads may add the same hook at the same time; the entries are equal.
static void add(uint16_t *places, uint32_t place, uint16_t number)
{
	for (;; place = (place + 1) % PLACES) {
		uint16_t found = 0;
		bool is_added = __atomic_compare_exchange_n(
			&places[place], &found, number, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
		if (is_added || found == number) return;
	}
}

static const struct qs_hook *next(const uint16_t *places, uint32_t *place)
{
	uint16_t number = __atomic_load_n(&places[*place], __ATOMIC_ACQUIRE);
	*place = (*place + 1) % PLACES;
	return number != 0 ? &hooks[number - 1] : NULL;
}

void qs_hooks_find_originals(void)
{
	qs_find_originals();
	for (uint16_t index = 0; index < HOOKS; index++) {
		uintptr_t original = qs_hook_original(&hooks[index]);
		if (original == 0) continue;
		hooks[index].is_exported = is_exported(hooks[index].name);
		uint16_t number = index + 1;
		add(by_name, place_of_name(hooks[index].name), number);
		add(by_address, place_of_address(hooks[index].address), number);
		add(by_original, place_of_address(original), number);
	}
}

// A caller that needs no version, or one without a hook of its own, gets the default version.
const struct qs_hook *qs_hook_named(const char *name, const char *version)
{
	const struct qs_hook *hook, *found = NULL;
	for (uint32_t place = place_of_name(name); (hook = next(by_name, &place)) != NULL;) {
		if (strcmp(hook->name, name) != 0) continue;
		if (hook->version == NULL) found = hook;
		else if (version != NULL && strcmp(hook->version, version) == 0) return hook;
	}
	return found;
}

const struct qs_hook *qs_hook_of_original(uintptr_t address)
{
	const struct qs_hook *hook;
	for (uint32_t place = place_of_address(address); (hook = next(by_original, &place)) != NULL;) {
		if (qs_hook_original(hook) == address) return hook;
	}
	return NULL;
}

const struct qs_hook *qs_hook_at(uintptr_t address)
{
	const struct qs_hook *hook;
	for (uint32_t place = place_of_address(address); (hook = next(by_address, &place)) != NULL;) {
		if (hook->address == address) return hook;
	}
	return NULL;
}

#endif
