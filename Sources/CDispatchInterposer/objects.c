#include "objects.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum {
	SLAB_BYTES = 64 * 1024,
	// Segment 0 has the first 2^FIRST_BITS buckets. Each further segment has as many as all segments before it.
	FIRST_BITS = 8,
	SEGMENTS = 24,
	// Entries have a size class, so that a label takes the memory that it needs: 80, 96, … 192 bytes.
	SMALLEST_ENTRY = 80,
	CLASS_STEP = 16,
	CLASSES = 8,
};

_Static_assert(offsetof(struct qs_object_info, label) < SMALLEST_ENTRY, "every entry has room for an empty label");
_Static_assert(sizeof(struct qs_object_info) <= SMALLEST_ENTRY + CLASS_STEP * (CLASSES - 1), "the last class has all");

// The memory of entries of one size class.
struct slab {
	struct slab *next;
	char entries[];
};

// The lock guards all of these. The number of buckets grows with the number of objects, so that the lists of the
// buckets stay short.
static struct qs_object_info *first_buckets[1 << FIRST_BITS];
static struct qs_object_info **segments[SEGMENTS] = {first_buckets};
static uint32_t bucket_count = 1 << FIRST_BITS;
static uint32_t bucket_mask = (1 << FIRST_BITS) - 1; // the least 2^n - 1 that covers the buckets
static uint32_t entry_count;
static struct qs_object_info *free_entries[CLASSES];
static struct slab *slabs;
static uint32_t registry_session; // the session that has encountered the objects

static struct qs_lock registry_lock; // held for a few dozen instructions
// Set before the lock is taken, so that a signal handler in between fails instead of deadlocking.
static __thread bool holds_lock __attribute__((tls_model("initial-exec")));

static bool take_lock(void)
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

// Returns all memory to the system. Context: under the lock.
static void forget(void)
{
	while (slabs != NULL) {
		struct slab *slab = slabs;
		slabs = slab->next;
		munmap(slab, SLAB_BYTES);
	}
	for (uint32_t segment = 1; segment < SEGMENTS && segments[segment] != NULL; segment++) {
		munmap(segments[segment], sizeof(struct qs_object_info *) << (FIRST_BITS + segment - 1));
		segments[segment] = NULL;
	}
	memset(first_buckets, 0, sizeof first_buckets);
	memset(free_entries, 0, sizeof free_entries);
	bucket_count = 1 << FIRST_BITS;
	bucket_mask = bucket_count - 1;
	entry_count = 0;
	registry_session = 0;
}

// Takes the lock of the session's registry. Returns false when no session records, or when the lock cannot be taken;
// the caller then treats the object as unknown. Entries of an earlier session are removed: their objects may be gone.
static bool lock(void)
{
	uint32_t session = qs_session_number();
	if (qs_unlikely(session == 0) || !take_lock()) return false;
	if (qs_unlikely(registry_session != session) && !qs_thread_is_sandboxed) {
		if (registry_session != 0) forget();
		registry_session = session;
	}
	return true;
}

void qs_objects_forget(void)
{
	if (qs_thread_is_sandboxed || !take_lock()) return;
	forget();
	unlock();
}

// A fork waits until no thread is inside a change. When a signal handler forks during a change by its own thread, the
// interrupted code keeps the lock, in the child too.
//
// Forks in progress for which this thread holds the lock. Per thread, because two threads may fork at the same time and
// the second one may not get the lock. More than one, because a signal handler may fork inside a fork.
static __thread unsigned forks_with_lock __attribute__((tls_model("initial-exec")));

static void before_fork(void)
{
	if (forks_with_lock > 0 || take_lock()) forks_with_lock++;
}

static void after_fork(void)
{
	if (forks_with_lock > 0 && --forks_with_lock == 0) unlock();
}

__attribute__((constructor(101))) void qs_objects_register_fork_handlers(void)
{
	static bool is_registered;
	if (__atomic_exchange_n(&is_registered, true, __ATOMIC_RELAXED)) return;
	pthread_atfork(before_fork, after_fork, after_fork);
}

static uint32_t segment_of(uint32_t bucket)
{
	return bucket >> FIRST_BITS == 0 ? 0 : 32 - (uint32_t)__builtin_clz(bucket >> FIRST_BITS);
}

static struct qs_object_info **bucket_at(uint32_t bucket)
{
	uint32_t segment = segment_of(bucket);
	uint32_t first = segment == 0 ? 0 : 1u << (FIRST_BITS + segment - 1);
	return &segments[segment][bucket - first];
}

// Neighbours in memory are neighbours in the table: a program that creates many objects one after the other finds their
// buckets in the processor's cache. Arenas of an allocator, which differ in their upper bits, are shifted by a random
// distance.
static uint32_t hash_of(const void *object)
{
	enum { OBJECT_BITS = 7, ARENA_BITS = 26 }; // an object has 128 bytes or more, an arena of glibc 64 MiB
	uint64_t address = (uintptr_t)object;
	return (uint32_t)(address >> OBJECT_BITS) + (uint32_t)((address >> ARENA_BITS) * 0x9E3779B97F4A7C15u >> 32);
}

static struct qs_object_info **bucket_of(const void *object)
{
	uint32_t hash = hash_of(object);
	uint32_t bucket = hash & bucket_mask;
	// A bucket that was not split yet contains the entries of its later twin.
	return bucket_at(bucket < bucket_count ? bucket : hash & bucket_mask >> 1);
}

// Makes the segment of the next bucket, if it is the first one of a segment. The system provides the pages at their
// first use. False when there is no memory or no further segment.
static bool has_room_for_bucket(void)
{
	uint32_t segment = segment_of(bucket_count);
	if (segment >= SEGMENTS) return false;
	if (segments[segment] != NULL) return true;
	if (qs_thread_is_sandboxed) return false;
	size_t bytes = sizeof(struct qs_object_info *) << (FIRST_BITS + segment - 1);
	void *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (made == MAP_FAILED) return false;
	segments[segment] = made;
	return true;
}

// Splits the next bucket in turn (linear hashing). No caller waits until all entries are moved.
static void add_bucket(void)
{
	if (bucket_count > bucket_mask) bucket_mask = 2 * bucket_mask + 1;
	struct qs_object_info **split = bucket_at(bucket_count & bucket_mask >> 1);
	struct qs_object_info **made = bucket_at(bucket_count);
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

// Copies everything but the size class, which belongs to the memory. An entry has memory up to the end of its label.
static void copy_info(struct qs_object_info *to, const struct qs_object_info *from)
{
	uint8_t size_class = to->size_class;
	memcpy(to, from, offsetof(struct qs_object_info, label));
	memcpy(to->label, from->label, strlen(from->label) + 1);
	to->size_class = size_class;
}

void qs_object_set_label(struct qs_object_info *info, const char *label)
{
	size_t length = strnlen(label, QS_LABEL_BYTES);
	if (length == QS_LABEL_BYTES) {
		length = QS_LABEL_BYTES - 1;
		while (length > 0 && ((uint8_t)label[length] & 0xC0) == 0x80) length--;
	}
	memcpy(info->label, label, length);
	info->label[length] = 0;
}

// The smallest class whose entries have room for a label.
static uint8_t size_class_for(const char *label)
{
	size_t bytes = offsetof(struct qs_object_info, label) + strlen(label) + 1;
	return bytes <= SMALLEST_ENTRY ? 0 : (uint8_t)((bytes - SMALLEST_ENTRY + CLASS_STEP - 1) / CLASS_STEP);
}

static struct qs_object_info *take_entry(uint8_t size_class)
{
	struct qs_object_info **free_list = &free_entries[size_class];
	if (*free_list == NULL) {
		if (qs_thread_is_sandboxed) return NULL;
		struct slab *slab = mmap(NULL, SLAB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (slab == MAP_FAILED) return NULL;
		slab->next = slabs;
		slabs = slab;
		size_t bytes = SMALLEST_ENTRY + CLASS_STEP * (size_t)size_class;
		for (size_t offset = (SLAB_BYTES - sizeof *slab) / bytes * bytes; offset > 0;) {
			offset -= bytes;
			struct qs_object_info *entry = (struct qs_object_info *)(slab->entries + offset);
			entry->size_class = size_class;
			entry->next = *free_list;
			*free_list = entry;
		}
	}
	struct qs_object_info *entry = *free_list;
	*free_list = entry->next;
	return entry;
}

static void give_entry(struct qs_object_info *entry)
{
	entry->object = NULL;
	entry->next = free_entries[entry->size_class];
	free_entries[entry->size_class] = entry;
}

// Removes the entry that a link leads to.
static void unlink_entry(struct qs_object_info **link)
{
	struct qs_object_info *entry = *link;
	*link = entry->next;
	give_entry(entry);
	entry_count--;
}

void qs_object_add(const void *object, const struct qs_object_info *info)
{
	if (!lock()) return;
	struct qs_object_info **link = link_to(object);
	uint8_t size_class = size_class_for(info->label);
	if (*link != NULL && (*link)->size_class < size_class) {
		unlink_entry(link);
		link = link_to(object);
	}
	struct qs_object_info *entry = *link;
	if (entry == NULL) {
		entry = take_entry(size_class);
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
	if (entry_count > bucket_count && has_room_for_bucket()) add_bucket();
	unlock();
}

bool qs_object_find(const void *object, struct qs_object_info *copy)
{
	if (!lock()) return false;
	struct qs_object_info *entry = *link_to(object);
	if (entry != NULL) copy_info(copy, entry);
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
		unlink_entry(link);
	}
	unlock();
	return entry != NULL;
}

bool qs_object_note_activation(const struct qs_object_info *copy, uintptr_t activation, uint32_t stack)
{
	// Called without the lock: the caller owns a reference to the object.
	void *context = qs_helpers.get_context((void *)copy->object);
	if (!lock()) return false;
	struct qs_object_info *entry = *link_to(copy->object);
	bool is_first = entry != NULL && !entry->is_activated;
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

void qs_object_note_target(const void *object, uint64_t target)
{
	if (!lock()) return;
	struct qs_object_info *entry = *link_to(object);
	if (entry != NULL) entry->target = target;
	unlock();
}

void qs_object_note_event_handler(const void *source, bool has_handler)
{
	if (!lock()) return;
	struct qs_object_info *entry = *link_to(source);
	if (entry != NULL && has_handler) entry->flags |= QS_SOURCE_HAS_EVENT_HANDLER;
	if (entry != NULL && !has_handler) entry->flags &= ~QS_SOURCE_HAS_EVENT_HANDLER;
	unlock();
}

bool qs_object_next_undefined(uint32_t session, uint32_t *bucket, struct qs_object_info *copy)
{
	for (;; ++*bucket) {
		if (!lock()) return false;
		// An entry that moves to a later bucket during the iteration is already marked as defined.
		bool is_last = *bucket + 1 >= bucket_count;
		struct qs_object_info *entry = *bucket_at(*bucket);
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
