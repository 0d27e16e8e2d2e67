#define _GNU_SOURCE
#include "context_nodes.h"

#include <sys/mman.h>

enum {
	SLAB_BYTES = 64 * 1024,
	// A thread that only gives back passes this many on at a time.
	BATCH = 64,
};

// Nodes that threads passed on. Taken as a whole list by exchange, so no node can come back while somebody looks at it.
static struct qs_context_node *shared;

static pthread_key_t key;
static bool has_key;

static void share(struct qs_context_node *first, struct qs_context_node *last)
{
	struct qs_context_node *head = __atomic_load_n(&shared, __ATOMIC_RELAXED);
	do {
		last->next = head;
	} while (!__atomic_compare_exchange_n(&shared, &head, first, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

// A thread ends: others use its nodes.
static void thread_ends(void *value)
{
	struct qs_hook_thread *thread = value;
	struct qs_context_node *first = thread->nodes;
	thread->nodes = NULL;
	thread->node_count = 0;
	thread->keeps_nodes = false;
	if (first == NULL) return;
	struct qs_context_node *last = first;
	while (last->next != NULL) last = last->next;
	share(first, last);
}

void qs_context_nodes_prepare(void)
{
	static bool is_prepared;
	if (__atomic_exchange_n(&is_prepared, true, __ATOMIC_RELAXED)) return;
	bool is_made = pthread_key_create(&key, thread_ends) == 0;
	__atomic_store_n(&has_key, is_made, __ATOMIC_RELEASE); // pairs with the load in keep
}

static bool refill(struct qs_hook_thread *thread)
{
	thread->nodes = __atomic_exchange_n(&shared, NULL, __ATOMIC_ACQUIRE);
	thread->node_count = 0; // not counted: a long list is passed on again by whoever fills up
	if (thread->nodes != NULL) return true;
	struct qs_context_node *slab = mmap(NULL, SLAB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (slab == MAP_FAILED) return false;
	size_t count = SLAB_BYTES / sizeof *slab;
	for (size_t index = 0; index + 1 < count; index++) slab[index].next = &slab[index + 1];
	thread->nodes = slab;
	return true;
}

// Makes sure that the thread's nodes are given back at its end.
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
	node->context = context;
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
	share(first, last);
}
