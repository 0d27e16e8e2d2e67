#define _GNU_SOURCE
#include "context_nodes.h"

#include <sys/mman.h>

enum {
	SLAB_BYTES = 64 * 1024,
	// Nodes that a thread moves to the shared list at a time, when it releases more than it takes.
	BATCH = 64,
};

// Lists of nodes that threads share, each of at most 2 * BATCH nodes. The `context` of a list's first node points to
// the next list. The word holds the address of the first list and a change counter. The counter changes with each
// exchange, so that a thread detects that another thread took the list and shared it again in between (ABA).
static uint64_t shared;

enum { CHANGES_BITS = 16 }; // Linux maps memory below 2^48 unless a program asks for a higher address

static pthread_key_t key;
static bool has_key;

static uint64_t head_of(struct qs_context_node *first, uint64_t before)
{
	return (uint64_t)(uintptr_t)first << CHANGES_BITS | ((before + 1) & ((1u << CHANGES_BITS) - 1));
}

static struct qs_context_node *first_of(uint64_t head) { return (void *)(uintptr_t)(head >> CHANGES_BITS); }

static void share(struct qs_context_node *first)
{
	uint64_t head = __atomic_load_n(&shared, __ATOMIC_RELAXED);
	do {
		__atomic_store_n(&first->context, first_of(head), __ATOMIC_RELAXED);
	} while (!__atomic_compare_exchange_n(
		&shared, &head, head_of(first, head), true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

// Takes a shared list; NULL when there is none.
static struct qs_context_node *take_shared(void)
{
	uint64_t head = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
	struct qs_context_node *first;
	while ((first = first_of(head)) != NULL) {
		// Invalid when another thread took the list in between; the exchange then fails.
		struct qs_context_node *next = __atomic_load_n(&first->context, __ATOMIC_RELAXED);
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

// Makes nodes from new memory. Returns one list and shares the others.
static struct qs_context_node *make_nodes(void)
{
	struct qs_context_node *slab = mmap(NULL, SLAB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (slab == MAP_FAILED) return NULL;
	size_t count = SLAB_BYTES / sizeof *slab / BATCH * BATCH;
	for (size_t index = 0; index < count; index++)
		slab[index].next = (index + 1) % BATCH != 0 ? &slab[index + 1] : NULL;
	for (size_t index = BATCH; index < count; index += BATCH) share(&slab[index]);
	return slab;
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
