// Threads that poll again and again are event loops: SwiftNIO's, run loops, libdispatch's manager, and the program's
// own.
//
//	the loop's thread   poll_begin ─── waits ─── poll_end  an iteration  poll_begin ─ …
//	another thread                         wake
//
// Which threads are loops:
// - One that waits for an epoll set for the second time in a row, by epoll_wait or, as a run loop does, by polling the
//   set alone. A set belongs to the thread's loop for as long as both live.
// - One that has called poll() for two or more descriptors 16 times, from one place of the program and one depth of its
//   stack. A client that blocks on its one socket, as resolvers and database libraries do, is none; neither is a
//   worker of libdispatch's, where every item has the same depth.
// A poll of something else within an iteration is part of it: there the loop is blocked.
//
// What wakes a loop is the write to an eventfd in its set. Where several threads wait for one set, it is not known whom
// a write wakes, and it is not recorded.
//
// Context: poll, and writing to a descriptor, are async-signal-safe, and so are these hooks: tables without locks, no
// allocation. They keep errno.
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
	// Descriptors from here on have no place in the table: their loops are recorded, without what wakes them.
	DESCRIPTORS = 4096,
	POLLS_OF_A_LOOP = 16,
	SHARED = UINT32_MAX,
	NAME_LENGTH = 16, // of a thread, with the zero at its end
};

// What a descriptor is. Each member is written by whoever calls for that descriptor; members that do not fit together
// cost a wake-up that is not seen, or is seen of the wrong loop.
struct descriptor {
	uint64_t loop;      // that polls this epoll set, or polls this eventfd itself; 0: none
	uint32_t tid;       // of the thread that is the loop; SHARED: several wait for this set
	uint16_t sets[2];   // where an eventfd was added, first and last; plus one; 0: nowhere
	bool is_set;
	bool is_eventfd;
};

static struct descriptor descriptors[DESCRIPTORS];

// What this thread polls in a loop.
struct loop_thread {
	uint64_t loop;        // 0: not known to be a loop
	uint32_t defined;     // the time of definitions that this loop is defined in
	uint32_t repeats;     // of poll() from one place
	int set;              // what it waited for last; plus one; 0: no epoll set
	int ready_set;        // whose poll() said that it is ready: its events are fetched next; plus one
	uintptr_t caller;     // of poll(), and its frame
	uintptr_t frame;
};

static __thread struct loop_thread loop_thread __attribute__((tls_model("initial-exec")));

static struct descriptor *descriptor_of(int number)
{
	return qs_likely((unsigned)number < DESCRIPTORS) ? &descriptors[number] : NULL;
}

#define get(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define set_to(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)

// A new descriptor: what had its number is gone.
static void forget(int number, bool is_set, bool is_eventfd)
{
	struct descriptor *descriptor = descriptor_of(number);
	if (descriptor == NULL) return;
	set_to(descriptor->loop, 0);
	set_to(descriptor->tid, 0);
	set_to(descriptor->sets[0], 0);
	set_to(descriptor->sets[1], 0);
	set_to(descriptor->is_set, is_set);
	set_to(descriptor->is_eventfd, is_eventfd);
}

// MARK: Loops

// Writes the definition of this thread's loop.
static void define(struct loop_thread *thread, uint8_t kind, uint64_t shares, uint32_t number)
{
	int error = errno;
	if (thread->loop == 0) thread->loop = qs_new_object();
	thread->defined = number;
	char name[NAME_LENGTH] = "";
	prctl(PR_GET_NAME, name);
	qs_record_loop_state(thread->loop, kind, qs_current_tid(), shares, name, strnlen(name, sizeof name));
	errno = error;
}

// Whether a descriptor is an epoll set: its number may have been one's before. A thread that restricted its system calls
// may be ended for this one.
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
	ssize_t length = prctl(PR_GET_SECCOMP) == 0 ? readlink(path, target, sizeof target) : -1;
	errno = error;
	return length == sizeof wanted - 1 && memcmp(target, wanted, sizeof wanted - 1) == 0;
}

// Slow path: the thread waits for another set than before, or its loop is not defined yet. Returns the loop, 0 when
// it is none yet.
static QS_SLOW_PATH uint64_t find_loop_of_set(struct loop_thread *thread, int set, uint8_t kind)
{
	uint32_t own = qs_current_tid();
	struct descriptor *descriptor = descriptor_of(set);
	if (thread->set != set + 1) {
		// One that this thread knows already, such as the set of another mode of its run loop.
		bool is_known = descriptor != NULL && get(descriptor->tid) == own;
		uint64_t loop = is_known ? get(descriptor->loop) : 0;
		thread->set = set + 1;
		thread->loop = loop;
		thread->defined = 0;
		if (descriptor != NULL) set_to(descriptor->is_set, true);
		if (loop == 0) return 0;
	}
	uint32_t number = qs_definitions_number();
	if (number == 0) return 0;
	uint64_t known = descriptor != NULL ? get(descriptor->loop) : 0;
	bool is_shared = known != 0 && known != thread->loop;
	define(thread, kind, is_shared ? known : 0, number);
	if (descriptor != NULL) {
		if (!is_shared) set_to(descriptor->loop, thread->loop);
		set_to(descriptor->tid, is_shared || get(descriptor->tid) == SHARED ? SHARED : own);
	}
	return thread->loop;
}

// The loop of this thread that waits for a set, 0 when it is none.
static inline uint64_t loop_of_set(int set, uint8_t kind, const void *caller)
{
	struct loop_thread *thread = &loop_thread;
	if (qs_likely(thread->set == set + 1 && thread->loop != 0 && thread->defined == qs_definitions_number())) {
		return thread->loop;
	}
	if (set < 0) return 0;
	return find_loop_of_set(thread, set, qs_is_in_libdispatch(caller) ? qs_loop_kind_dispatch_manager : kind);
}

// The loop of this thread that polls several descriptors, 0 when it is none.
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
		if (descriptor == NULL || !get(descriptor->is_eventfd)) continue;
		set_to(descriptor->tid, qs_current_tid());
		set_to(descriptor->loop, thread->loop);
	}
	return thread->loop;
}

// The loop that this call of poll() or ppoll() is of. A run loop polls its set alone, then fetches what is ready.
static uint64_t loop_of_poll_call(const struct pollfd *polled, nfds_t count, const void *caller, const void *frame)
{
	if (polled == NULL || count == 0) return 0;
	if (count > 1) return loop_of_poll(polled, count, (uintptr_t)caller, (uintptr_t)frame);
	int set = polled[0].fd;
	struct descriptor *descriptor = descriptor_of(set);
	if (descriptor == NULL || !get(descriptor->is_set)) return 0;
	if (loop_thread.set == set + 1 && loop_thread.loop == 0 && !is_epoll_set(set)) {
		set_to(descriptor->is_set, false);
		return 0;
	}
	return loop_of_set(set, qs_loop_kind_run_loop, caller);
}

static void end_poll(uint64_t loop, int ready)
{
	qs_record_loop_poll_end(loop, ready > 0 ? (uint32_t)ready : 0);
}

// Recorded before the original, as an iteration ends there, and after it.
#define POLL(loop, call) \
	({ \
		uint64_t qs_loop = (loop); \
		if (qs_loop != 0) qs_record_loop_poll_begin(qs_loop); \
		int qs_ready = (call); \
		if (qs_loop != 0) end_poll(qs_loop, qs_ready); \
		qs_ready; \
	})

// Fetches the events of a set that poll() has waited for: part of that wait.
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
	return POLL(loop_of_set(set, qs_loop_kind_epoll, __builtin_return_address(0)),
		libc_original(epoll_wait)(set, events, count, timeout));
}

QS_LIBC_HOOK(int, epoll_pwait, (int set, struct epoll_event *events, int count, int timeout, const sigset_t *signals))
{
	if (!qs_is_recording() || fetches(set, timeout != 0)) {
		return libc_original(epoll_pwait)(set, events, count, timeout, signals);
	}
	return POLL(loop_of_set(set, qs_loop_kind_epoll, __builtin_return_address(0)),
		libc_original(epoll_pwait)(set, events, count, timeout, signals));
}

QS_LIBC_HOOK(int, epoll_pwait2,
	(int set, struct epoll_event *events, int count, const struct timespec *timeout, const sigset_t *signals))
{
	int (*wait)(int, struct epoll_event *, int, const struct timespec *, const sigset_t *) =
		libc_original(epoll_pwait2);
	// Before glibc 2.35 there is none, and only a program that asks for it at run time comes here.
	if (qs_unlikely(wait == NULL)) {
		errno = ENOSYS;
		return -1;
	}
	bool is_patient = timeout == NULL || timeout->tv_sec != 0 || timeout->tv_nsec != 0;
	if (!qs_is_recording() || fetches(set, is_patient)) return wait(set, events, count, timeout, signals);
	return POLL(loop_of_set(set, qs_loop_kind_epoll, __builtin_return_address(0)),
		wait(set, events, count, timeout, signals));
}

// After a poll of one descriptor that may be a set.
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

// MARK: What wakes them

QS_LIBC_HOOK(int, epoll_create, (int size))
{
	int set = libc_original(epoll_create)(size);
	forget(set, true, false);
	return set;
}

QS_LIBC_HOOK(int, epoll_create1, (int flags))
{
	int set = libc_original(epoll_create1)(flags);
	forget(set, true, false);
	return set;
}

QS_LIBC_HOOK(int, eventfd, (unsigned int value, int flags))
{
	int number = libc_original(eventfd)(value, flags);
	forget(number, false, true);
	return number;
}

// Slow path: an eventfd comes into a set, or leaves it.
static QS_SLOW_PATH void change_sets(struct descriptor *descriptor, int set, int operation)
{
	if ((unsigned)set >= DESCRIPTORS) return;
	uint16_t number = (uint16_t)(set + 1);
	if (operation == EPOLL_CTL_ADD) {
		bool is_first = get(descriptor->sets[0]) == 0 || get(descriptor->sets[0]) == number;
		set_to(descriptor->sets[is_first ? 0 : 1], number);
		return;
	}
	for (int index = 0; index < 2; index++) {
		if (get(descriptor->sets[index]) == number) set_to(descriptor->sets[index], 0);
	}
}

// Before the original: one that is written to at once is known by then.
QS_LIBC_HOOK(int, epoll_ctl, (int set, int operation, int number, struct epoll_event *event))
{
	struct descriptor *descriptor = descriptor_of(number);
	if (qs_unlikely(descriptor != NULL && get(descriptor->is_eventfd)) && operation != EPOLL_CTL_MOD) {
		change_sets(descriptor, set, operation);
	}
	return libc_original(epoll_ctl)(set, operation, number, event);
}

// A loop that wakes itself does not wait for it.
static uint64_t loop_of(const struct descriptor *descriptor)
{
	uint32_t tid = get(descriptor->tid);
	return tid == SHARED || tid == qs_current_tid() ? 0 : get(descriptor->loop);
}

// The loop that a write to an eventfd wakes, 0 when it wakes none.
static uint64_t loop_woken_by(int number)
{
	const struct descriptor *descriptor = descriptor_of(number);
	if (descriptor == NULL) return 0;
	uint64_t loop = loop_of(descriptor);
	for (int index = 0; loop == 0 && index < 2; index++) {
		uint16_t set = get(descriptor->sets[index]);
		if (set != 0) loop = loop_of(&descriptors[set - 1]);
	}
	return loop;
}

// Before the original: the loop may be running by the time that it returns.
QS_LIBC_HOOK(int, eventfd_write, (int number, eventfd_t value))
{
	if (qs_is_recording()) {
		uint64_t loop = loop_woken_by(number);
		if (loop != 0) qs_record_loop_wake(loop);
	}
	return libc_original(eventfd_write)(number, value);
}
