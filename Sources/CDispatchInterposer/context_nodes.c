#define _GNU_SOURCE
#include "context_nodes.h"

#include <sys/mman.h>

enum {
	SLAB_BYTES = 64 * 1024,
	SLOT_BITS = 11,
	SLOTS = 1 << SLOT_BITS, // nodes of a slab
	MOST_SLABS = 1 << 16,   // 4 GiB
	// Nodes that a thread moves to the shared list at a time, when it releases more than it takes.
	BATCH = 64,
};

_Static_assert(SLAB_BYTES == SLOTS * sizeof(struct qs_context_node), "the nodes of a slab fill it");

// The first node of each slab is not used: its `extra` holds the number of the slab. Slabs are aligned to their size,
// so that the address of a node leads to it. Slabs are never unmapped.
static struct qs_context_node *slabs[MOST_SLABS];
static uint32_t slab_count;

// Lists of nodes that threads share, each of at most 2 * BATCH nodes. The `context` of a list's first node holds the
// number of the next list's first node. The word holds the number of the first list's first node and, in its lower
// half, a change counter. The counter changes with each exchange, so that a thread detects that another thread took the
// list and shared it again in between (ABA). The counter has 32 bits: a thread would have to be stopped for 4 billion
// changes.
static uint64_t shared;

enum { CHANGES_BITS = 32 };

static pthread_key_t key;
static bool has_key;

// The number of a node: its slab and its slot. Never 0.
static uint32_t number_of(const struct qs_context_node *node)
{
	const struct qs_context_node *slab = (const void *)((uintptr_t)node & ~(uintptr_t)(SLAB_BYTES - 1));
	return (uint32_t)__atomic_load_n(&slab->extra, __ATOMIC_RELAXED) << SLOT_BITS | (uint32_t)(node - slab);
}

static struct qs_context_node *node_at(uint32_t number)
{
	if (number == 0) return NULL;
	// The slab was stored before its first node was shared.
	return &__atomic_load_n(&slabs[number >> SLOT_BITS], __ATOMIC_RELAXED)[number % SLOTS];
}

static uint64_t head_of(uint32_t first, uint64_t before)
{
	return (uint64_t)first << CHANGES_BITS | (uint32_t)(before + 1);
}

static uint32_t first_of(uint64_t head) { return (uint32_t)(head >> CHANGES_BITS); }

static void share(struct qs_context_node *first)
{
	uint32_t number = number_of(first);
	uint64_t head = __atomic_load_n(&shared, __ATOMIC_RELAXED);
	do {
		__atomic_store_n(&first->context, (void *)(uintptr_t)first_of(head), __ATOMIC_RELAXED);
	} while (!__atomic_compare_exchange_n(
		&shared, &head, head_of(number, head), true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

// Takes a shared list; NULL when there is none.
static struct qs_context_node *take_shared(void)
{
	uint64_t head = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
	struct qs_context_node *first;
	while ((first = node_at(first_of(head))) != NULL) {
		// Invalid when another thread took the list in between; the exchange then fails.
		uint32_t next = (uint32_t)(uintptr_t)__atomic_load_n(&first->context, __ATOMIC_RELAXED);
		bool is_taken = __atomic_compare_exchange_n(
			&shared, &head, head_of(next, head), true, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);
		if (is_taken) break;
	}
	return first;
}

// Destructor of the key: shares the nodes of a thread that ends.
static void thread_ends(void *value)
{
	struct qs_hook_thread *thread = value;
	struct qs_context_node *first = thread->nodes;
	thread->nodes = NULL;
	thread->node_count = 0;
	thread->keeps_nodes = false;
	if (first != NULL) share(first);
}

void qs_context_nodes_prepare(void)
{
	static bool is_prepared;
	if (__atomic_exchange_n(&is_prepared, true, __ATOMIC_RELAXED)) return;
	bool is_made = pthread_key_create(&key, thread_ends) == 0;
	__atomic_store_n(&has_key, is_made, __ATOMIC_RELEASE); // pairs with the load in keep
}

// Maps a slab at a multiple of its size; NULL when there is no memory.
static struct qs_context_node *map_slab(void)
{
	char *memory = mmap(NULL, 2 * SLAB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) return NULL;
	size_t before = -(uintptr_t)memory % SLAB_BYTES;
	if (before != 0) munmap(memory, before);
	munmap(memory + before + SLAB_BYTES, SLAB_BYTES - before);
	return (struct qs_context_node *)(memory + before);
}

// Makes nodes from new memory. Returns one list and shares the others.
static struct qs_context_node *make_nodes(void)
{
	if (qs_thread_is_sandboxed || __atomic_load_n(&slab_count, __ATOMIC_RELAXED) >= MOST_SLABS) return NULL;
	struct qs_context_node *slab = map_slab();
	if (slab == NULL) return NULL;
	uint32_t number = __atomic_fetch_add(&slab_count, 1, __ATOMIC_RELAXED);
	if (number >= MOST_SLABS) {
		munmap(slab, SLAB_BYTES);
		return NULL;
	}
	__atomic_store_n(&slab->extra, number, __ATOMIC_RELAXED);
	// Published by the exchange in share.
	__atomic_store_n(&slabs[number], slab, __ATOMIC_RELAXED);
	for (size_t index = 1; index < SLOTS; index++)
		slab[index].next = index % BATCH != 0 && index + 1 < SLOTS ? &slab[index + 1] : NULL;
	for (size_t index = 1 + BATCH; index < SLOTS; index += BATCH) share(&slab[index]);
	return &slab[1];
}

static bool refill(struct qs_hook_thread *thread)
{
	struct qs_context_node *first = take_shared();
	thread->nodes = first != NULL ? first : make_nodes();
	thread->node_count = 0; // the nodes of the list are not counted: there are at most 2 * BATCH
	return thread->nodes != NULL;
}

// Sets the thread-specific value whose destructor shares the thread's nodes.
static void keep(struct qs_hook_thread *thread)
{
	if (!__atomic_load_n(&has_key, __ATOMIC_ACQUIRE)) return;
	pthread_setspecific(key, thread);
	thread->keeps_nodes = true;
}

struct qs_context_node *qs_context_node_take(qs_function_t work, void *context)
{
	struct qs_hook_thread *thread = &qs_hook_thread;
	if (qs_unlikely(!thread->keeps_nodes)) keep(thread);
	struct qs_context_node *node = thread->nodes;
	if (qs_unlikely(node == NULL)) {
		if (!refill(thread)) return NULL;
		node = thread->nodes;
	}
	thread->nodes = node->next;
	if (thread->node_count > 0) thread->node_count--;
	node->work = work;
	__atomic_store_n(&node->context, context, __ATOMIC_RELAXED); // see take_shared
	node->extra = 0;
	return node;
}

void qs_context_node_give(struct qs_context_node *node)
{
	struct qs_hook_thread *thread = &qs_hook_thread;
	if (qs_unlikely(!thread->keeps_nodes)) keep(thread);
	node->next = thread->nodes;
	thread->nodes = node;
	if (qs_likely(++thread->node_count < 2 * BATCH)) return;
	struct qs_context_node *last = thread->nodes;
	for (int index = 1; index < BATCH; index++) last = last->next;
	struct qs_context_node *first = thread->nodes;
	thread->nodes = last->next;
	thread->node_count -= BATCH;
	last->next = NULL;
	share(first);
}
