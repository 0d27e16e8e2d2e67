#ifdef QS_FRONT_END_PRELOAD

#define _GNU_SOURCE
#include "slots.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>

#include "conditions.h"
#include "hook_table.h"
#include "slot_pass.h"

static const int64_t MILLISECOND = 1000 * 1000;

enum {
	// A thread that resolves a lazy slot during the installation can overwrite the hook, so slots are installed twice.
	SECOND_PASS_MS = 20,
	// Library that is being opened by a caller that does not wait: how often to look, and for how long.
	EXPECTED_PAUSE_MS = 1,
	EXPECTED_MS = 200,
	// Attempts to find a moment in which no library is closed.
	ATTEMPTS = 8,
};

static struct {
	struct qs_lock lock;      // taken after the loader's lock, or without it
	bool is_installed;        // atomic
	uint64_t adds;            // libraries that were loaded before the last pass
	bool needs_second_pass;   // atomic
	uint32_t opening;         // atomic: threads between qs_slots_open_begin and qs_slots_open_end
	uint32_t expected;        // atomic: counts announcements of libraries
	uint32_t seen_expected;   // only the recorder thread
	int64_t expected_until_ns;
	int64_t second_pass_ns;
} slots;

static __thread uint32_t own_opening __attribute__((tls_model("initial-exec"))); // part of slots.opening

// The child has no other threads that could release the lock, or return from dlopen.
static void after_fork_in_child(void)
{
	slots.lock = (struct qs_lock){0};
	slots.opening = own_opening;
}

static __attribute__((constructor)) void register_fork_handler(void)
{
	pthread_atfork(NULL, NULL, after_fork_in_child);
}

struct list {
	size_t objects;
	uint64_t adds, subs;
};

static int list_object(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct list *list = context;
	list->objects++;
	list->adds = info->dlpi_adds;
	list->subs = info->dlpi_subs;
	return 0;
}

// An object is in the loader's list before it is relocated, and the relocation would add the object's base to a hook's
// address. The loader's lock is held during the whole dlopen, and dladdr takes it: the objects that were listed before
// this call are relocated after it. New objects are added at the end of the list.
static struct list list_relocated_objects(void)
{
	struct list list = {0};
	dl_iterate_phdr(list_object, &list);
	Dl_info ignored;
	// Without libdl, before glibc 2.34, the process cannot open a library.
	if (dladdr != NULL) dladdr((void *)list_relocated_objects, &ignored);
	return list;
}

// Takes the lock, unless it is held for longer than this. A signal handler that interrupts a pass of its own thread
// must not wait for it.
static bool begin_pass(int milliseconds)
{
	if (qs_thread_inside || qs_thread_is_sandboxed) return false;
	qs_thread_inside = true;
	if (qs_lock_take_within(&slots.lock, milliseconds)) return true;
	qs_thread_inside = false;
	return false;
}

static void end_pass(void)
{
	qs_lock_give_back(&slots.lock);
	qs_thread_inside = false;
}

// Returns false when a library was closed during the pass.
static bool visit_listed_objects(const struct list *list)
{
	struct qs_slot_pass pass = {.objects = list->objects, .subs = list->subs};
	dl_iterate_phdr(qs_slots_visit_object, &pass);
	if (!pass.has_changed) slots.adds = list->adds;
	return !pass.has_changed;
}

// Returns false when another pass did not end within this time, or when libraries were closed during all attempts.
static bool install(bool begins, int milliseconds)
{
	bool is_done = false;
	for (int attempt = 0; attempt < ATTEMPTS && !is_done; attempt++) {
		struct list list = list_relocated_objects();
		qs_hooks_find_originals();
		if (!begin_pass(milliseconds)) return false;
		if (begins) __atomic_store_n(&slots.is_installed, true, __ATOMIC_RELEASE);
		begins = false;
		// The session may have ended since.
		is_done = !__atomic_load_n(&slots.is_installed, __ATOMIC_RELAXED) || visit_listed_objects(&list);
		end_pass();
	}
	return is_done;
}

void qs_slots_release_runtime(void)
{
	qs_hooks_find_originals();
	if (!begin_pass(QS_PATIENT_LOCK_MS)) return;
	struct qs_slot_pass pass = {.restores = true, .only_runtime = true, .objects = SIZE_MAX};
	dl_iterate_phdr(qs_slots_visit_object, &pass);
	end_pass();
}

void qs_slots_install(void)
{
	int saved_errno = errno;
	__atomic_store_n(&slots.needs_second_pass, true, __ATOMIC_RELAXED);
	install(true, QS_PATIENT_LOCK_MS);
	errno = saved_errno;
}

static int read_adds(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	*(uint64_t *)context = info->dlpi_adds;
	return 1;
}

static bool has_new_library(void)
{
	uint64_t adds = 0;
	dl_iterate_phdr(read_adds, &adds);
	return adds != __atomic_load_n(&slots.adds, __ATOMIC_RELAXED);
}

void qs_slots_open_begin(void)
{
	own_opening++;
	__atomic_fetch_add(&slots.opening, 1, __ATOMIC_RELAXED);
}

void qs_slots_open_end(void)
{
	int saved_errno = errno;
	__atomic_fetch_sub(&slots.opening, 1, __ATOMIC_RELAXED);
	own_opening--;
	bool is_due = __atomic_load_n(&slots.is_installed, __ATOMIC_ACQUIRE) && has_new_library();
	// When another thread is stopped within a pass, the recorder thread installs the slots after it.
	if (is_due && !install(false, QS_LOCK_MS)) qs_slots_expect_library();
	errno = saved_errno;
}

void qs_slots_expect_library(void)
{
	if (!__atomic_load_n(&slots.is_installed, __ATOMIC_ACQUIRE)) return;
	int saved_errno = errno;
	__atomic_fetch_add(&slots.expected, 1, __ATOMIC_RELAXED);
	if (!qs_thread_is_sandboxed) qs_session_hooks_wake();
	errno = saved_errno;
}

int64_t qs_slots_tick(int64_t now_ns)
{
	if (!__atomic_load_n(&slots.is_installed, __ATOMIC_ACQUIRE)) return INT64_MAX;
	if (__atomic_exchange_n(&slots.needs_second_pass, false, __ATOMIC_RELAXED)) {
		slots.second_pass_ns = now_ns + SECOND_PASS_MS * MILLISECOND;
	}
	bool is_second = now_ns >= slots.second_pass_ns;
	uint32_t expected = __atomic_load_n(&slots.expected, __ATOMIC_RELAXED);
	if (expected != slots.seen_expected) slots.expected_until_ns = now_ns + EXPECTED_MS * MILLISECOND;
	slots.seen_expected = expected;
	// A thread that opens a library installs the slots itself. The recorder thread would wait for the library's
	// constructors.
	bool is_opening = __atomic_load_n(&slots.opening, __ATOMIC_RELAXED) != 0;
	bool is_due = is_second || (!is_opening && has_new_library());
	bool is_done = !is_due || install(false, QS_LOCK_MS);
	if (is_second) slots.second_pass_ns = is_done ? INT64_MAX : now_ns + SECOND_PASS_MS * MILLISECOND;
	bool expects = now_ns < slots.expected_until_ns;
	return expects ? now_ns + EXPECTED_PAUSE_MS * MILLISECOND : slots.second_pass_ns;
}

void qs_slots_restore(void)
{
	if (!__atomic_load_n(&slots.is_installed, __ATOMIC_ACQUIRE)) return;
	int saved_errno = errno;
	bool was_inside = qs_thread_inside;
	qs_thread_inside = false;
	if (begin_pass(QS_PATIENT_LOCK_MS)) {
		__atomic_store_n(&slots.is_installed, false, __ATOMIC_RELEASE);
		struct qs_slot_pass pass = {.restores = true, .objects = SIZE_MAX};
		dl_iterate_phdr(qs_slots_visit_object, &pass);
		end_pass();
	}
	qs_thread_inside = was_inside;
	errno = saved_errno;
}

#endif
