// The slots of the loaded objects, without the hooks. Prints "ok" when no thread that opens a library waits for a
// thread that is stopped while it writes slots, and a forked child waits for no thread of its parent.
#define QS_FRONT_END_PRELOAD
#include "../../../Sources/CDispatchInterposer/weak_functions.h"
#include "../../../Sources/CDispatchInterposer/slot_pass.c"
#include "../../../Sources/CDispatchInterposer/slots.c"
#include "../../../Sources/CTraceRecorder/System/lock.c"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

__thread bool qs_thread_inside __attribute__((tls_model("initial-exec")));
__thread bool qs_thread_is_sandboxed __attribute__((tls_model("initial-exec")));

static unsigned wakes; // of the recorder thread

void qs_session_hooks_wake(void)
{
	wakes++;
}

// No function has a hook.

void qs_hooks_find_originals(void) {}

const struct qs_hook *qs_hook_named(const char *name, const char *version)
{
	(void)name, (void)version;
	return NULL;
}

const struct qs_hook *qs_hook_of_original(uintptr_t address)
{
	(void)address;
	return NULL;
}

const struct qs_hook *qs_hook_at(uintptr_t address)
{
	(void)address;
	return NULL;
}

static void require(bool condition, const char *what)
{
	if (condition) return;
	printf("%s\n", what);
	exit(1);
}

// Number of times that this thread waited so far.
static long waits(void)
{
	struct rusage usage;
	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

static void open_library(void)
{
	qs_slots_open_begin();
	qs_slots_open_end();
}

static pthread_barrier_t barrier;

static void *open_slowly(void *unused)
{
	qs_slots_open_begin();
	require(qs_lock_take(&slots.lock), "the lock is not free");
	for (int wait = 0; wait < 2; wait++) pthread_barrier_wait(&barrier);
	qs_lock_give_back(&slots.lock);
	qs_slots_open_end();
	return unused;
}

static void look_for_libraries(bool is_expected, const char *what)
{
	slots.adds = 0;
	qs_slots_tick(1);
	require((slots.adds != 0) == is_expected, what);
}

// The child does not return from main, which prints "ok".
static void fork_while(const char *name, void (*in_child)(void))
{
	pid_t child = fork();
	require(child >= 0, "no process");
	if (child == 0) {
		in_child();
		_exit(0);
	}
	int status;
	require(waitpid(child, &status, 0) == child && status == 0, name);
}

static void check_child(void)
{
	look_for_libraries(true, "the child waits for a thread of its parent");
	open_library();
	look_for_libraries(true, "the child counts a library as being opened");
}

// The child of a library's constructor.
static void check_opening_child(void)
{
	look_for_libraries(false, "the child has forgotten the library that its thread opens");
	qs_slots_open_end();
	check_child();
}

static void check_forks(void)
{
	pthread_t thread;
	pthread_barrier_init(&barrier, NULL, 2);
	require(pthread_create(&thread, NULL, open_slowly, NULL) == 0, "no thread");
	pthread_barrier_wait(&barrier);
	fork_while("fork while another thread opens a library", check_child);
	qs_slots_open_begin();
	fork_while("fork while this thread and another one open libraries", check_opening_child);
	qs_slots_open_end();
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	look_for_libraries(true, "the parent counts a library as being opened");
}

int main(void)
{
	// A wait of 10 ms has at most 200 naps; 10 s have more than 50,000.
	enum { MOST_WAITS = 1000 };
	slots.is_installed = true;
	slots.second_pass_ns = INT64_MAX;
	require(qs_lock_take(&slots.lock), "the lock is not free");
	// A thread is stopped within a pass.
	long before = waits();
	open_library();
	require(waits() - before < MOST_WAITS, "a thread that opened a library waited for the other thread");
	require(wakes == 1 && slots.adds == 0, "the recorder thread does not look for the library");
	before = waits();
	int64_t next_ns = qs_slots_tick(1);
	require(waits() - before < MOST_WAITS, "the recorder thread waited for the other thread");
	require(next_ns < EXPECTED_MS * MILLISECOND && slots.adds == 0, "the recorder thread does not try again");
	// The thread continues.
	qs_lock_give_back(&slots.lock);
	qs_slots_tick(next_ns);
	require(slots.adds != 0, "the library has no hooks");
	open_library();
	require(wakes == 1, "the thread itself did not install the hooks");
	check_forks();
	puts("ok");
	return 0;
}
