// Threads whose seccomp filters kill the process for every system call that the program itself does not need. They are
// installed by prctl and by the system call. A thread that such a thread creates has the same filter.
//: discards
#define _GNU_SOURCE
#include "check.h"
#include <dispatch/dispatch.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(call)                                              \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1),       \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

enum { SYNCS = 20000 };

static dispatch_queue_t queue;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int runs;
static atomic_int is_waiting;

static void install_filter(int by_prctl)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_futex), ALLOW(SYS_write), ALLOW(SYS_exit), ALLOW(SYS_exit_group), ALLOW(SYS_rt_sigprocmask),
		// The calls of libdispatch for the thread id, and of libc to create and to end a thread.
		ALLOW(SYS_gettid), ALLOW(SYS_madvise),
		ALLOW(SYS_clone), ALLOW(SYS_set_robust_list), ALLOW(SYS_munmap), ALLOW(SYS_mprotect),
#ifdef SYS_clone3
		ALLOW(SYS_clone3),
#endif
#ifdef SYS_rseq
		ALLOW(SYS_rseq),
#endif
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	// A filter that is refused changes nothing.
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == -1);
	CHECK((by_prctl ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)
		: syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)) == 0);
}

static void work(void)
{
	for (int i = 0; i < SYNCS; i++)
		dispatch_sync(queue, ^{ atomic_fetch_add(&runs, 1); });
	atomic_store(&is_waiting, 1);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void *be_sandboxed(void *by_prctl)
{
	install_filter(by_prctl != NULL);
	work();
	return NULL;
}

static void run_while_mutex_is_held(void *by_prctl)
{
	pthread_t thread;
	pthread_mutex_lock(&mutex);
	atomic_store(&is_waiting, 0);
	CHECK(pthread_create(&thread, NULL, be_sandboxed, by_prctl) == 0);
	while (atomic_load(&is_waiting) == 0) usleep(1000);
	usleep(100 * 1000);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
}

static void *be_child(void *unused)
{
	work();
	return unused;
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	queue = dispatch_queue_create("sandboxed", NULL);
	run_while_mutex_is_held(&mutex);
	run_while_mutex_is_held(NULL);

	// The thread's stack comes from memory of the program, so that no system call is needed for it.
	static _Alignas(4096) char stack[256 * 1024];
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	CHECK(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
	install_filter(1);
	work();
	pthread_t child;
	CHECK(pthread_create(&child, &attributes, be_child, NULL) == 0);
	CHECK(pthread_join(child, NULL) == 0);
	const char done[] = "done\n";
	CHECK(runs == 4 * SYNCS && write(1, done, sizeof done - 1) > 0);
	return 0;
}
