// The pool of context nodes, without the other hooks. Prints "ok" when no list or node is handed out twice.
#include "../../../Sources/CDispatchInterposer/context_nodes.c"

#include <stdio.h>
#include <stdlib.h>

__thread struct qs_hook_thread qs_hook_thread __attribute__((tls_model("initial-exec")));
__thread bool qs_thread_is_sandboxed __attribute__((tls_model("initial-exec")));

static void require(bool condition, const char *what)
{
	if (condition) return;
	printf("%s\n", what);
	exit(1);
}

// A thread is stopped between its load of the list head and its exchange:
//
//	stopped thread    load head (F, then N) ─────────────────────────────── exchange: must fail, N is in use
//	other threads       take F, N and P, share F, then take and share F …
static void resume_after(unsigned changes)
{
	qs_context_node_give(qs_context_node_take(NULL, NULL)); // makes the lists of a slab
	uint64_t stopped = shared;
	struct qs_context_node *first = take_shared();
	struct qs_context_node *next = take_shared(), *other = take_shared();
	require(first != NULL && next != NULL && other != NULL, "no lists");
	share(first);
	for (unsigned change = 4; change < changes; change += 2) {
		require(take_shared() == first, "another list");
		share(first);
	}
	require(shared != stopped, "a list that is in use was taken");
	share(next);
	share(other);
}

enum { THREADS = 4, ROUNDS = 300000, IN_FLIGHT = 1000 };

// Nodes on their way from one thread to another.
static struct qs_context_node *in_flight[IN_FLIGHT];

static void release_node(struct qs_context_node *node)
{
	require(__atomic_exchange_n(&node->extra, 0, __ATOMIC_RELAXED) == 1, "a node was handed out twice");
	qs_context_node_give(node);
}

static void *use_nodes(void *seed)
{
	uint64_t random = (uintptr_t)seed;
	for (int round = 0; round < ROUNDS; round++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		struct qs_context_node *node = qs_context_node_take(NULL, NULL);
		require(node != NULL, "no memory");
		require(__atomic_exchange_n(&node->extra, 1, __ATOMIC_RELAXED) == 0, "a node was handed out twice");
		node = __atomic_exchange_n(&in_flight[(random >> 33) % IN_FLIGHT], node, __ATOMIC_ACQ_REL);
		if (node != NULL) release_node(node);
	}
	return NULL;
}

int main(void)
{
	qs_context_nodes_prepare();
	resume_after(1u << 16);
	resume_after(1u << 20);
	pthread_t threads[THREADS];
	for (uintptr_t index = 0; index < THREADS; index++)
		require(pthread_create(&threads[index], NULL, use_nodes, (void *)(index + 1)) == 0, "no thread");
	for (int index = 0; index < THREADS; index++) pthread_join(threads[index], NULL);
	puts("ok");
	return 0;
}
