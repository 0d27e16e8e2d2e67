#define _GNU_SOURCE
#include "ids.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "../Gate/thread_guard.h"
#include "CTraceRecorder.h"

// Item ids need no shared counter: a thread takes a block of 2^32 numbers and counts through it. There are 2^16 blocks.
static uint32_t next_block;
static __thread uint64_t next_item __attribute__((tls_model("initial-exec")));

uint64_t qs_new_item(void)
{
	uint64_t item = next_item;
	if ((uint32_t)item == 0) {
		uint64_t block = __atomic_fetch_add(&next_block, 1, __ATOMIC_RELAXED) & 0xFFFF;
		item = block << 32 | 1;
	}
	next_item = item + 1;
	return item;
}

uint64_t qs_new_object(void)
{
	static uint64_t last;
	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED) & 0xFFFFFFFFFFFF;
}

uint64_t qs_new_queue_id(void)
{
	static uint64_t last = 1ull << 48;
	return __atomic_sub_fetch(&last, 1, __ATOMIC_RELAXED);
}

// Cached, because gettid is a system call. qs_forget_tid resets it in a forked child, whose thread has another id.
static __thread uint32_t thread_tid __attribute__((tls_model("initial-exec")));

uint32_t qs_current_tid(void)
{
	if (thread_tid == 0 && !qs_thread_is_sandboxed) thread_tid = (uint32_t)syscall(SYS_gettid);
	return thread_tid;
}

void qs_forget_tid(void)
{
	thread_tid = 0;
}
