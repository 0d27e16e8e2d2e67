#include "objects.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "../CTraceRecorder/lock.h"

enum {
	// The number of buckets grows with the number of objects: the buckets of a small program fit into a page.
	FIRST_BUCKETS = 1 << 8,
	MOST_BUCKETS = 1 << 16,
	SLAB_BYTES = 64 * 1024,
};

// The lock guards all of these. Entries are never returned to the system.
static struct qs_object_info *buckets[MOST_BUCKETS];
static uint32_t bucket_count = FIRST_BUCKETS;
static uint32_t bucket_mask = FIRST_BUCKETS - 1; // the least 2^n - 1 that covers the buckets
static uint32_t entry_count;
static struct qs_object_info *free_entries;

static struct qs_lock registry_lock; // held for a few dozen instructions
// Set before the lock is taken, so that a signal handler in between fails instead of deadlocking.
static __thread bool holds_lock __attribute__((tls_model("initial-exec")));

// Returns false when the lock cannot be taken; the caller then treats the object as unknown.
static bool lock(void)
{
	if (qs_unlikely(holds_lock)) return false;
	holds_lock = true;
	atomic_signal_fence(memory_order_seq_cst);
	if (qs_likely(qs_lock_take(&registry_lock))) return true;
	holds_lock = false;
	return false;
}

static void unlock(void)
{
	qs_lock_give_back(&registry_lock);
	atomic_signal_fence(memory_order_seq_cst);
	holds_lock = false;
}

// A fork waits until no thread is inside a change. When a signal handler forks during a change by its own thread, the
// interrupted code keeps the lock, in the child too.
//
// Forks in progress for which this thread holds the lock. Per thread, because two threads may fork at the same time and
// the second one may not get the lock. More than one, because a signal handler may fork inside a fork.
static __thread unsigned forks_with_lock __attribute__((tls_model("initial-exec")));

static void before_fork(void)
{
	if (forks_with_lock > 0 || lock()) forks_with_lock++;
}

static void after_fork(void)
{
	if (forks_with_lock > 0 && --forks_with_lock == 0) unlock();
}

__attribute__((constructor(101))) void qs_objects_register_fork_handlers(void)
{
	static bool is_registered;
	if (!__atomic_exchange_n(&is_registered, true, __ATOMIC_RELAXED)) pthread_atfork(before_fork, after_fork, after_fork);
}

static struct qs_object_info **bucket_of(const void *object)
{
	uint32_t mixed = (uint32_t)((uint64_t)(uintptr_t)object * 0x9E3779B97F4A7C15u >> 32);
	uint32_t bucket = mixed & bucket_mask;
	// A bucket that was not split yet contains the entries of its later twin.
	return &buckets[bucket < bucket_count ? bucket : mixed & bucket_mask >> 1];
}

// Splits the next bucket in turn (linear hashing). No caller waits until all entries are moved.
static void add_bucket(void)
{
	if (bucket_count > bucket_mask) bucket_mask = 2 * bucket_mask + 1;
	struct qs_object_info **split = &buckets[bucket_count & bucket_mask >> 1];
	struct qs_object_info **made = &buckets[bucket_count];
	bucket_count++;
	while (*split != NULL) {
		struct qs_object_info *entry = *split;
		if (bucket_of(entry->object) == made) {
			*split = entry->next;
			entry->next = *made;
			*made = entry;
		} else {
			split = &entry->next;
		}
	}
}

// The link that points to an object's entry, or the NULL link at the end of its bucket.
static struct qs_object_info **link_to(const void *object)
{
	struct qs_object_info **link = bucket_of(object);
	while (*link != NULL && (*link)->object != object) link = &(*link)->next;
	return link;
}

// Copies an entry. The label is most of an entry, and sources have none, so an empty label is not copied.
static void copy_info(struct qs_object_info *to, const struct qs_object_info *from)
{
	memcpy(to, from, offsetof(struct qs_object_info, label));
	if (from->label[0] != 0) memcpy(to->label, from->label, sizeof to->label);
	else to->label[0] = 0;
}

static void copy_entry(struct qs_object_info *copy, struct qs_object_info *entry)
{
	copy_info(copy, entry);
	copy->next = entry;
}

static struct qs_object_info *take_entry(void)
{
	if (free_entries == NULL) {
		struct qs_object_info *slab =
			mmap(NULL, SLAB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (slab == MAP_FAILED) return NULL;
		for (size_t index = 0; index < SLAB_BYTES / sizeof *slab; index++) {
			slab[index].next = free_entries;
			free_entries = &slab[index];
		}
	}
	struct qs_object_info *entry = free_entries;
	free_entries = entry->next;
	return entry;
}

void qs_object_add(const void *object, const struct qs_object_info *info)
{
	if (!lock()) return;
	struct qs_object_info **link = link_to(object);
	struct qs_object_info *entry = *link;
	if (entry == NULL) {
		entry = take_entry();
		if (entry != NULL) {
			entry->next = NULL;
			*link = entry;
			entry_count++;
		}
	}
	if (entry != NULL) {
		struct qs_object_info *next = entry->next;
		copy_info(entry, info);
		entry->next = next;
		entry->object = object;
	}
	if (entry_count > bucket_count && bucket_count < MOST_BUCKETS) add_bucket();
	unlock();
}

bool qs_object_find(const void *object, struct qs_object_info *copy)
{
	if (!lock()) return false;
	struct qs_object_info *entry = *link_to(object);
	if (entry != NULL) copy_entry(copy, entry);
	unlock();
	return entry != NULL;
}

bool qs_object_remove(const void *object, struct qs_object_info *copy)
{
	if (!lock()) return false;
	struct qs_object_info **link = link_to(object);
	struct qs_object_info *entry = *link;
	if (entry != NULL) {
		copy_info(copy, entry);
		*link = entry->next;
		entry->object = NULL;
		entry->next = free_entries;
		free_entries = entry;
		entry_count--;
	}
	unlock();
	return entry != NULL;
}

bool qs_object_note_activation(const struct qs_object_info *copy, uintptr_t activation, uint32_t stack)
{
	// Called without the lock: the caller owns a reference to the object.
	void *context = qs_helpers.get_context((void *)copy->object);
	struct qs_object_info *entry = copy->next;
	if (!lock()) return false;
	bool is_first = entry->object == copy->object && !entry->is_activated;
	if (is_first) {
		entry->activation = activation;
		entry->activation_stack = stack;
		entry->activation_session = qs_session_number();
		entry->context = context;
		entry->is_activated = true;
	}
	unlock();
	return is_first;
}

void qs_object_note_target(const void *object, uint32_t target)
{
	if (!lock()) return;
	struct qs_object_info *entry = *link_to(object);
	if (entry != NULL) entry->target = target;
	unlock();
}

bool qs_object_find_for_event_handler(const void *source, bool has_handler, struct qs_object_info *copy)
{
	if (!lock()) return false;
	struct qs_object_info *entry = *link_to(source);
	if (entry != NULL) {
		copy_entry(copy, entry);
		if (has_handler) entry->flags |= QS_SOURCE_HAS_EVENT_HANDLER;
		else entry->flags &= ~QS_SOURCE_HAS_EVENT_HANDLER;
	}
	unlock();
	return entry != NULL;
}

bool qs_object_next_undefined(uint32_t session, uint32_t *bucket, struct qs_object_info *copy)
{
	for (;; ++*bucket) {
		if (!lock()) return false;
		// An entry that moves to a later bucket during the iteration is already marked as defined.
		bool is_last = *bucket + 1 >= bucket_count;
		struct qs_object_info *entry = buckets[*bucket];
		while (entry != NULL && entry->defined_session == session) entry = entry->next;
		if (entry != NULL) {
			entry->defined_session = session;
			copy_info(copy, entry);
		}
		unlock();
		if (entry != NULL) return true;
		if (is_last) return false;
	}
}
