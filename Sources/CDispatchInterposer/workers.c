// A request for a worker first tries to wake an idle worker, and otherwise creates a thread if the pool has room:
//
//	asking thread    request ─ signal: a worker sleeps
//	worker                              unpark ── runs items ── park
//
//	asking thread    request ─ signal: no worker sleeps ─ create
//	new worker                                                start ── runs items ── park … exit
//
// A request without a following unpark or create found the pool full, or another request pending.
#include "workers.h"

#include <errno.h>
#include <string.h>

#include "context_nodes.h"
#include "object_header.h"
#include "objects.h"
#include "queue_definitions.h"
#include "queue_state.h"

enum { POOLS = 32 };

// The root queue of each pool's semaphore. A worker stores it when it parks. A slot keeps its semaphore for the
// lifetime of the process.
static struct {
	void *semaphore;
	uint64_t root;
} pools[POOLS];

// The root queue of this thread's last request that woke no worker. If the thread then creates a worker for that root,
// the creation belongs to the same request.
static __thread uint64_t unmet_request __attribute__((tls_model("initial-exec")));

// The entry nearly always exists already, from earlier parks of workers of this pool. It is not written again then,
// because a write would invalidate the cache line of the other processors.
static void note_pool(void *semaphore, uint64_t root)
{
	for (int index = 0; index < POOLS; index++) {
		void **slot = &pools[index].semaphore;
		void *found = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
		if (found == NULL) {
			__atomic_compare_exchange_n(slot, &found, semaphore, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
		}
		if (found != NULL && found != semaphore) continue;
		uint64_t *known = &pools[index].root;
		if (__atomic_load_n(known, __ATOMIC_RELAXED) != root) __atomic_store_n(known, root, __ATOMIC_RELEASE);
		return;
	}
}

// Returns 0 when no worker of the pool has parked yet, so that none can be woken.
static uint64_t root_of(void *semaphore)
{
	for (int index = 0; index < POOLS; index++) {
		void *found = __atomic_load_n(&pools[index].semaphore, __ATOMIC_ACQUIRE);
		if (found == semaphore) return __atomic_load_n(&pools[index].root, __ATOMIC_ACQUIRE);
		if (found == NULL) return 0;
	}
	return 0;
}

// The serial number of the root queue whose pool has this semaphore; 0 when the layout is not known. The semaphore is
// part of the context of the root queue.
static uint64_t find_root(const void *semaphore)
{
	enum { CONTEXT = 32, CONTEXT_BYTES = 256, CLASSES = 6 };
	static const uint8_t classes[CLASSES] = {qs_qos_class_maintenance, qs_qos_class_background, qs_qos_class_utility,
		qs_qos_class_default, qs_qos_class_user_initiated, qs_qos_class_user_interactive};
	if (qs_helpers.get_global_queue == NULL || !qs_object_header_is_known()) return 0;
	for (int index = 0; index < 2 * CLASSES; index++) {
		const char *queue = qs_helpers.get_global_queue(classes[index / 2], index % 2 * QS_OVERCOMMIT);
		uintptr_t context;
		if (queue == NULL) continue;
		memcpy(&context, queue + CONTEXT, sizeof context);
		if ((uintptr_t)semaphore - context < CONTEXT_BYTES) return qs_serial(queue);
	}
	return 0;
}

bool qs_worker_adopt(void *semaphore)
{
	uint64_t root = find_root(semaphore);
	if (root == 0) return false;
	qs_hook_thread.root = root;
	qs_hook_thread.is_worker = true;
	return true;
}

intptr_t qs_worker_park(void *semaphore, uint64_t timeout)
{
	uint64_t root = qs_hook_thread.root;
	note_pool(semaphore, root);
	qs_record_worker_park(root);
	intptr_t result = original(dispatch_semaphore_wait)(semaphore, timeout);
	// Otherwise the worker was idle for too long and ends.
	if (result == 0) qs_record_worker_unpark(root);
	return result;
}

intptr_t qs_worker_request(void *semaphore)
{
	uint64_t root = root_of(semaphore);
	if (root != 0) qs_record_worker_request(root, 1);
	intptr_t woken = original(dispatch_semaphore_signal)(semaphore);
	unmet_request = woken == 0 ? root : 0;
	return woken;
}

// Whether an object is a root queue: root queues share one class, which is read from a global queue.
static bool is_root_queue(const void *object)
{
	if (object == NULL || qs_helpers.get_global_queue == NULL) return false;
	const void *const *global = qs_helpers.get_global_queue(0, 0);
	return global != NULL && *(const void *const *)object == *global;
}

// In `extra` of a node, next to the serial number: the creating thread is sandboxed.
#define SANDBOXED (1ull << 63)

static void *run_worker(void *context)
{
	struct qs_context_node *node = context;
	// The node's function is the original start routine.
	qs_thread_function_t start = (qs_thread_function_t)(void *)node->work;
	void *argument = node->context;
	uint64_t root = node->extra & ~SANDBOXED;
	if ((node->extra & SANDBOXED) != 0) qs_sandbox_inherit();
	qs_context_node_give(node);
	qs_hook_thread.root = root;
	qs_hook_thread.is_worker = true;
	qs_record_worker_start(root);
	void *result = start(argument);
	qs_record_worker_exit(root);
	qs_hook_thread.is_worker = false;
	return result;
}

// Also called when no session records, so that a later session has the root of each worker. libdispatch creates threads
// for root queues only as workers.
static int create_worker(pthread_t *thread, const pthread_attr_t *attributes, qs_thread_function_t start, void *queue)
{
	uint64_t root = qs_serial(queue);
	struct qs_context_node *node = qs_context_node_take((qs_function_t)(void *)start, queue);
	if (node == NULL) return libc_original(pthread_create)(thread, attributes, start, queue);
	node->extra = qs_thread_is_sandboxed ? root | SANDBOXED : root;
	qs_define_permanent_queue(queue, QS_QUEUE_IS_GLOBAL);
	if (unmet_request != root) qs_record_worker_request(root, 1);
	unmet_request = 0;
	// Recorded before the thread can run. If the creation fails, the worker never starts, and libdispatch tries again.
	qs_record_worker_create(root);
	int result = libc_original(pthread_create)(thread, attributes, run_worker, node);
	if (result != 0) {
		qs_context_node_give(node);
		unmet_request = root;
	}
	return result;
}

static void *run_sandboxed(void *context)
{
	struct qs_context_node *node = context;
	qs_thread_function_t start = (qs_thread_function_t)(void *)node->work;
	void *argument = node->context;
	qs_sandbox_inherit();
	qs_context_node_give(node);
	return start(argument);
}

static void *run_made(void *context)
{
	struct qs_context_node *node = context;
	qs_thread_function_t start = (qs_thread_function_t)(void *)node->work;
	void *argument = node->context;
	qs_thread_maker_set(node->extra);
	qs_context_node_give(node);
	return start(argument);
}

QS_LIBC_HOOK(int, pthread_create,
	(pthread_t *thread, const pthread_attr_t *attributes, qs_thread_function_t start, void *argument))
{
	if (qs_unlikely(qs_is_in_libdispatch(__builtin_return_address(0))) && is_root_queue(argument)) {
		return create_worker(thread, attributes, start, argument);
	}
	int (*create)(pthread_t *, const pthread_attr_t *, qs_thread_function_t, void *) = libc_original(pthread_create);
	// Before glibc 2.34 a process may not have libpthread.
	if (qs_unlikely(create == NULL)) return EAGAIN;
	if (!qs_thread_is_sandboxed && !qs_is_recording()) return create(thread, attributes, start, argument);
	struct qs_context_node *node = qs_context_node_take((qs_function_t)(void *)start, argument);
	if (node == NULL) return create(thread, attributes, start, argument);
	if (!qs_thread_is_sandboxed) node->extra = qs_thread_maker_stamp();
	int result = create(thread, attributes, qs_thread_is_sandboxed ? run_sandboxed : run_made, node);
	if (result != 0) qs_context_node_give(node);
	return result;
}
