// A thread that polls repeatedly is an event loop: an event loop of SwiftNIO, a run loop, libdispatch's manager thread,
// or a loop of the program.
//
//	the loop's thread   poll_begin ─── waits ─── poll_end  an iteration  poll_begin ─ …
//	another thread                         wake
//
// A thread is a loop in three cases:
// - It waits for an epoll set that contains an eventfd, by epoll_wait with a time limit other than 0: other threads can
//   wake it. It may block in its first iteration, and never wait again. This does not apply to libdispatch's manager.
// - It waits for the same epoll set twice in a row, by epoll_wait, or by polling the set alone, as a run loop does. The
//   set belongs to the thread's loop as long as both exist.
// - It has called poll() for two or more descriptors 16 times, from one call site of the program at one stack depth. A
//   client that blocks on its only socket, as resolvers and database libraries do, is not a loop. A worker thread of
//   libdispatch is not a loop either, because every item runs at the same depth.
// A poll for other descriptors inside an iteration is part of the iteration: the loop is blocked there.
//
// A write to an eventfd in the set of a loop wakes the loop. When several threads wait for one set, the woken thread is
// not determined, and the wake-up is not recorded.
//
// Context: poll and writes to a descriptor are async-signal-safe, so these hooks are too: tables without locks, no
// allocation. The hooks preserve errno.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "hooks.h"

enum {
	// Higher descriptors have no place in the table. Their loops are recorded without wake-ups.
	DESCRIPTORS = 4096,
	POLLS_OF_A_LOOP = 16,
	SHARED = UINT32_MAX,
	NAME_LENGTH = 16, // of a thread's name, with the terminating zero
};

// State of a descriptor. Each member is written by the thread that makes the call for the descriptor. Inconsistent
// members make a wake-up missing, or assign it to the wrong loop.
struct descriptor {
	uint64_t loop;      // the loop that polls this epoll set, or this eventfd directly; 0: none
	uint32_t tid;       // the thread of the loop; SHARED: several threads wait for this set
	uint16_t sets[2];   // the first and the last epoll set that contain the eventfd, plus one; 0: none
	bool is_set;
	bool is_eventfd;
	bool has_eventfd;   // an eventfd was added to this epoll set
};

static struct descriptor descriptors[DESCRIPTORS];

// The loop of this thread.
struct loop_thread {
	uint64_t loop;        // 0: not detected as a loop
	uint32_t defined;     // definitions number of the loop's definition
	uint32_t repeats;     // calls of poll() from one call site
	int set;              // the epoll set of the last wait, plus one; 0: none
	int ready_set;        // the set that poll() returned as ready, plus one: its events are fetched next
	uintptr_t caller;     // return address of poll(), and the frame
	uintptr_t frame;
};

static __thread struct loop_thread loop_thread __attribute__((tls_model("initial-exec")));

static struct descriptor *descriptor_of(int number)
{
	return qs_likely((unsigned)number < DESCRIPTORS) ? &descriptors[number] : NULL;
}

#define load_relaxed(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define store_relaxed(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)

// Clears the state for a new descriptor with this number.
static void reset_descriptor(int number, bool is_set, bool is_eventfd)
{
	struct descriptor *descriptor = descriptor_of(number);
	if (descriptor == NULL) return;
	store_relaxed(descriptor->loop, 0);
	store_relaxed(descriptor->tid, 0);
	store_relaxed(descriptor->sets[0], 0);
	store_relaxed(descriptor->sets[1], 0);
	store_relaxed(descriptor->is_set, is_set);
	store_relaxed(descriptor->is_eventfd, is_eventfd);
	store_relaxed(descriptor->has_eventfd, false);
}

// MARK: Loops

// Writes the definition of this thread's loop.
static void define(struct loop_thread *thread, uint8_t kind, uint64_t shares, uint32_t number)
{
	int error = errno;
	if (thread->loop == 0) thread->loop = qs_new_object();
	thread->defined = number;
	char name[NAME_LENGTH] = "";
	if (!qs_thread_is_sandboxed) prctl(PR_GET_NAME, name);
	qs_record_loop_state(thread->loop, kind, qs_current_tid(), shares, name, strnlen(name, sizeof name));
	errno = error;
}

// Whether a descriptor is an epoll set: an earlier descriptor with this number may have been one. Returns false for a
// thread with a seccomp filter, which may kill the thread for readlink.
static bool is_epoll_set(int number)
{
	static const char wanted[] = "anon_inode:[eventpoll]";
	static const char folder[] = "/proc/self/fd/";
	char path[sizeof folder + 4] = "/proc/self/fd/"; // up to DESCRIPTORS
	char target[sizeof wanted];
	char *end = path + sizeof folder - 1;
	for (int unit = 1000; unit != 0; unit /= 10) {
		if (number >= unit || unit == 1) *end++ = (char)('0' + number / unit % 10);
	}
	int error = errno;
	bool may_ask = !qs_thread_is_sandboxed && prctl(PR_GET_SECCOMP) == 0;
	ssize_t length = may_ask ? readlink(path, target, sizeof target) : -1;
	errno = error;
	return length == sizeof wanted - 1 && memcmp(target, wanted, sizeof wanted - 1) == 0;
}

// Slow path: the thread waits for another set than before, or its loop has no definition yet. A wait is patient when
// its time limit is not 0. Returns the loop; 0 when the thread is not a loop yet.
static QS_SLOW_PATH uint64_t find_loop_of_set(struct loop_thread *thread, int set, uint8_t kind, bool is_patient)
{
	uint32_t own = qs_current_tid();
	struct descriptor *descriptor = descriptor_of(set);
	if (thread->set != set + 1) {
		// The set may already belong to this thread, for example as the set of another mode of its run loop.
		bool is_known = descriptor != NULL && load_relaxed(descriptor->tid) == own;
		uint64_t loop = is_known ? load_relaxed(descriptor->loop) : 0;
		thread->set = set + 1;
		thread->loop = loop;
		thread->defined = 0;
		if (descriptor != NULL) store_relaxed(descriptor->is_set, true);
		bool is_wakeable = is_patient && descriptor != NULL && load_relaxed(descriptor->has_eventfd);
		if (loop == 0 && !is_wakeable) return 0;
	}
	uint32_t number = qs_definitions_number();
	if (number == 0) return 0;
	uint64_t known = descriptor != NULL ? load_relaxed(descriptor->loop) : 0;
	bool is_shared = known != 0 && known != thread->loop;
	define(thread, kind, is_shared ? known : 0, number);
	if (descriptor != NULL) {
		if (!is_shared) store_relaxed(descriptor->loop, thread->loop);
		store_relaxed(descriptor->tid, is_shared || load_relaxed(descriptor->tid) == SHARED ? SHARED : own);
	}
	return thread->loop;
}

// The loop of this thread that waits for a set; 0 when the thread is not a loop.
static inline uint64_t loop_of_set(int set, uint8_t kind, bool is_patient, const void *caller)
{
	struct loop_thread *thread = &loop_thread;
	if (qs_likely(thread->set == set + 1 && thread->loop != 0 && thread->defined == qs_definitions_number())) {
		return thread->loop;
	}
	if (set < 0) return 0;
	// The manager has an eventfd as well. It is of interest only if it polls repeatedly.
	if (qs_is_in_libdispatch(caller)) return find_loop_of_set(thread, set, qs_loop_kind_dispatch_manager, false);
	return find_loop_of_set(thread, set, kind, is_patient);
}

// The loop of this thread that polls several descriptors; 0 when the thread is not a loop.
static uint64_t loop_of_poll(const struct pollfd *polled, nfds_t count, uintptr_t caller, uintptr_t frame)
{
	struct loop_thread *thread = &loop_thread;
	if (count < 2 || thread->set != 0 || qs_hook_thread.is_worker) return 0;
	if (thread->caller != caller || thread->frame != frame) {
		if (thread->loop != 0) return 0;
		thread->caller = caller;
		thread->frame = frame;
		thread->repeats = 0;
	}
	if (thread->loop == 0 && ++thread->repeats < POLLS_OF_A_LOOP) return 0;
	uint32_t number = qs_definitions_number();
	if (number == 0 || qs_likely(thread->defined == number)) return thread->loop;
	define(thread, qs_loop_kind_poll, 0, number);
	for (nfds_t index = 0; index < count; index++) {
		struct descriptor *descriptor = descriptor_of(polled[index].fd);
		if (descriptor == NULL || !load_relaxed(descriptor->is_eventfd)) continue;
		store_relaxed(descriptor->tid, qs_current_tid());
		store_relaxed(descriptor->loop, thread->loop);
	}
	return thread->loop;
}

// The loop of a call of poll() or ppoll(). A run loop polls its set alone, then fetches the events that are ready.
static uint64_t loop_of_poll_call(const struct pollfd *polled, nfds_t count, const void *caller, const void *frame)
{
	if (polled == NULL || count == 0) return 0;
	if (count > 1) return loop_of_poll(polled, count, (uintptr_t)caller, (uintptr_t)frame);
	int set = polled[0].fd;
	struct descriptor *descriptor = descriptor_of(set);
	if (descriptor == NULL || !load_relaxed(descriptor->is_set)) return 0;
	if (loop_thread.set == set + 1 && loop_thread.loop == 0 && !is_epoll_set(set)) {
		store_relaxed(descriptor->is_set, false);
		return 0;
	}
	return loop_of_set(set, qs_loop_kind_run_loop, false, caller);
}

static void end_poll(uint64_t loop, int ready)
{
	qs_record_loop_poll_end(loop, ready > 0 ? (uint32_t)ready : 0);
}

// Records before the original, where an iteration ends, and after it, where the next iteration begins.
#define POLL(loop, call) \
	({ \
		uint64_t qs_loop = (loop); \
		if (qs_loop != 0) qs_record_loop_poll_begin(qs_loop); \
		int qs_ready = (call); \
		if (qs_loop != 0) end_poll(qs_loop, qs_ready); \
		qs_ready; \
	})

// Whether the call fetches the events of a set that poll() has reported as ready. Such a call is part of that wait.
static inline bool fetches(int set, bool is_patient)
{
	struct loop_thread *thread = &loop_thread;
	if (qs_likely(thread->ready_set == 0)) return false;
	bool fetches = thread->ready_set == set + 1 && !is_patient;
	thread->ready_set = 0;
	return fetches;
}

QS_LIBC_HOOK(int, epoll_wait, (int set, struct epoll_event *events, int count, int timeout))
{
	if (!qs_is_recording() || fetches(set, timeout != 0)) {
		return libc_original(epoll_wait)(set, events, count, timeout);
	}
	return POLL(loop_of_set(set, qs_loop_kind_epoll, timeout != 0, __builtin_return_address(0)),
		libc_original(epoll_wait)(set, events, count, timeout));
}

QS_LIBC_HOOK(int, epoll_pwait, (int set, struct epoll_event *events, int count, int timeout, const sigset_t *signals))
{
	if (!qs_is_recording() || fetches(set, timeout != 0)) {
		return libc_original(epoll_pwait)(set, events, count, timeout, signals);
	}
	return POLL(loop_of_set(set, qs_loop_kind_epoll, timeout != 0, __builtin_return_address(0)),
		libc_original(epoll_pwait)(set, events, count, timeout, signals));
}

QS_LIBC_HOOK(int, epoll_pwait2,
	(int set, struct epoll_event *events, int count, const struct timespec *timeout, const sigset_t *signals))
{
	int (*wait)(int, struct epoll_event *, int, const struct timespec *, const sigset_t *) =
		libc_original(epoll_pwait2);
	// The function is missing before glibc 2.35. Only a program that looks it up at run time gets here.
	if (qs_unlikely(wait == NULL)) {
		errno = ENOSYS;
		return -1;
	}
	bool is_patient = timeout == NULL || timeout->tv_sec != 0 || timeout->tv_nsec != 0;
	if (!qs_is_recording() || fetches(set, is_patient)) return wait(set, events, count, timeout, signals);
	return POLL(loop_of_set(set, qs_loop_kind_epoll, is_patient, __builtin_return_address(0)),
		wait(set, events, count, timeout, signals));
}

// Called after a poll of one descriptor that may be an epoll set.
static inline void note_ready_set(const struct pollfd *polled, nfds_t count, int ready)
{
	if (count == 1 && ready > 0 && qs_unlikely(loop_thread.set == polled[0].fd + 1)) {
		loop_thread.ready_set = polled[0].fd + 1;
	}
}

QS_LIBC_HOOK(int, poll, (struct pollfd *polled, nfds_t count, int timeout))
{
	if (!qs_is_recording()) return libc_original(poll)(polled, count, timeout);
	uint64_t loop =
		loop_of_poll_call(polled, count, __builtin_return_address(0), __builtin_frame_address(0));
	int ready = POLL(loop, libc_original(poll)(polled, count, timeout));
	note_ready_set(polled, count, ready);
	return ready;
}

QS_LIBC_HOOK(int, ppoll,
	(struct pollfd *polled, nfds_t count, const struct timespec *timeout, const sigset_t *signals))
{
	if (!qs_is_recording()) return libc_original(ppoll)(polled, count, timeout, signals);
	uint64_t loop =
		loop_of_poll_call(polled, count, __builtin_return_address(0), __builtin_frame_address(0));
	int ready = POLL(loop, libc_original(ppoll)(polled, count, timeout, signals));
	note_ready_set(polled, count, ready);
	return ready;
}

// MARK: Wake-ups

QS_LIBC_HOOK(int, epoll_create, (int size))
{
	int set = libc_original(epoll_create)(size);
	reset_descriptor(set, true, false);
	return set;
}

QS_LIBC_HOOK(int, epoll_create1, (int flags))
{
	int set = libc_original(epoll_create1)(flags);
	reset_descriptor(set, true, false);
	return set;
}

QS_LIBC_HOOK(int, eventfd, (unsigned int value, int flags))
{
	int number = libc_original(eventfd)(value, flags);
	reset_descriptor(number, false, true);
	return number;
}

// Slow path: an eventfd is added to a set or removed from it.
static QS_SLOW_PATH void change_sets(struct descriptor *descriptor, int set, int operation)
{
	if ((unsigned)set >= DESCRIPTORS) return;
	uint16_t number = (uint16_t)(set + 1);
	if (operation == EPOLL_CTL_ADD) {
		store_relaxed(descriptors[set].has_eventfd, true);
		bool is_first = load_relaxed(descriptor->sets[0]) == 0 || load_relaxed(descriptor->sets[0]) == number;
		store_relaxed(descriptor->sets[is_first ? 0 : 1], number);
		return;
	}
	for (int index = 0; index < 2; index++) {
		if (load_relaxed(descriptor->sets[index]) == number) store_relaxed(descriptor->sets[index], 0);
	}
}

// Updates the table before the call, so that a write to the eventfd right after the call finds its set.
QS_LIBC_HOOK(int, epoll_ctl, (int set, int operation, int number, struct epoll_event *event))
{
	struct descriptor *descriptor = descriptor_of(number);
	if (qs_unlikely(descriptor != NULL && load_relaxed(descriptor->is_eventfd)) && operation != EPOLL_CTL_MOD) {
		change_sets(descriptor, set, operation);
	}
	return libc_original(epoll_ctl)(set, operation, number, event);
}

// The loop of a descriptor for a wake-up. A thread that writes to its own loop does not wake it.
static uint64_t loop_of(const struct descriptor *descriptor)
{
	uint32_t tid = load_relaxed(descriptor->tid);
	return tid == SHARED || tid == qs_current_tid() ? 0 : load_relaxed(descriptor->loop);
}

// The loop that a write to an eventfd wakes; 0 when it wakes none.
static uint64_t loop_woken_by(int number)
{
	const struct descriptor *descriptor = descriptor_of(number);
	if (descriptor == NULL) return 0;
	uint64_t loop = loop_of(descriptor);
	for (int index = 0; loop == 0 && index < 2; index++) {
		uint16_t set = load_relaxed(descriptor->sets[index]);
		if (set != 0) loop = loop_of(&descriptors[set - 1]);
	}
	return loop;
}

// Recorded before the call: the loop may run before the call returns.
QS_LIBC_HOOK(int, eventfd_write, (int number, eventfd_t value))
{
	if (qs_is_recording()) {
		uint64_t loop = loop_woken_by(number);
		if (loop != 0) qs_record_loop_wake(loop);
	}
	return libc_original(eventfd_write)(number, value);
}
