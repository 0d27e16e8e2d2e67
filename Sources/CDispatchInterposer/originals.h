// The list of all hooked functions: X(result, name, parameters). The table of originals, the linker flags that
// `queuescope link-flags` prints, and the test of the preload object's exports are made from this list.
//
// Blocks, queues and other objects are `void *`, so that no header of libdispatch and no compiler support for blocks is
// needed. Functions that the libdispatch of the Swift toolchain does not export must not be listed, because programs
// may test whether they exist.
#ifndef QS_ORIGINALS_H
#define QS_ORIGINALS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "../CTraceRecorder/hooks_interface.h"

typedef void (*qs_function_t)(void *context);
typedef void (*qs_apply_function_t)(void *context, size_t iteration);
typedef void *(*qs_thread_function_t)(void *argument);
typedef void (*qs_data_function_t)(void *context, void *data, int error);
typedef void (*qs_channel_function_t)(void *context, bool is_done, void *data, int error);
typedef void (*qs_cleanup_function_t)(void *context, int error);

struct epoll_event;
struct pollfd;

// libdispatch's functions, grouped by the file of their hooks.
#define QS_DISPATCH_ORIGINALS(X) \
	/* async.c */ \
	X(void, dispatch_async, (void *queue, void *block)) \
	X(void, dispatch_async_f, (void *queue, void *context, qs_function_t work)) \
	X(void, dispatch_barrier_async, (void *queue, void *block)) \
	X(void, dispatch_barrier_async_f, (void *queue, void *context, qs_function_t work)) \
	X(void, dispatch_group_async, (void *group, void *queue, void *block)) \
	X(void, dispatch_group_async_f, (void *group, void *queue, void *context, qs_function_t work)) \
	X(void, dispatch_after, (uint64_t when, void *queue, void *block)) \
	X(void, dispatch_after_f, (uint64_t when, void *queue, void *context, qs_function_t work)) \
	/* sync.c */ \
	X(void, dispatch_sync, (void *queue, void *block)) \
	X(void, dispatch_sync_f, (void *queue, void *context, qs_function_t work)) \
	X(void, dispatch_barrier_sync, (void *queue, void *block)) \
	X(void, dispatch_barrier_sync_f, (void *queue, void *context, qs_function_t work)) \
	X(void, dispatch_async_and_wait, (void *queue, void *block)) \
	X(void, dispatch_async_and_wait_f, (void *queue, void *context, qs_function_t work)) \
	X(void, dispatch_barrier_async_and_wait, (void *queue, void *block)) \
	X(void, dispatch_barrier_async_and_wait_f, (void *queue, void *context, qs_function_t work)) \
	/* apply.c */ \
	X(void, dispatch_apply, (size_t iterations, void *queue, void *block)) \
	X(void, dispatch_apply_f, (size_t iterations, void *queue, void *context, qs_apply_function_t work)) \
	/* once.c */ \
	X(void, dispatch_once_f, (intptr_t *predicate, void *context, qs_function_t work)) \
	/* work_items.c */ \
	X(void *, dispatch_block_create, (unsigned long flags, void *block)) \
	X(void *, dispatch_block_create_with_qos_class, \
		(unsigned long flags, unsigned int qos, int relative_priority, void *block)) \
	X(void *, dispatch_block_create_with_voucher, (unsigned long flags, void *voucher, void *block)) \
	X(void *, dispatch_block_create_with_voucher_and_qos_class, \
		(unsigned long flags, void *voucher, unsigned int qos, int relative_priority, void *block)) \
	X(void, dispatch_block_perform, (unsigned long flags, void *block)) \
	X(intptr_t, dispatch_block_wait, (void *block, uint64_t timeout)) \
	X(void, dispatch_block_notify, (void *block, void *queue, void *notification)) \
	X(void, dispatch_block_cancel, (void *block)) \
	/* groups.c */ \
	X(void *, dispatch_group_create, (void)) \
	X(void, dispatch_group_enter, (void *group)) \
	X(void, dispatch_group_leave, (void *group)) \
	X(intptr_t, dispatch_group_wait, (void *group, uint64_t timeout)) \
	X(void, dispatch_group_notify, (void *group, void *queue, void *block)) \
	X(void, dispatch_group_notify_f, (void *group, void *queue, void *context, qs_function_t work)) \
	/* semaphores.c */ \
	X(void *, dispatch_semaphore_create, (intptr_t value)) \
	X(intptr_t, dispatch_semaphore_wait, (void *semaphore, uint64_t timeout)) \
	X(intptr_t, dispatch_semaphore_signal, (void *semaphore)) \
	/* queues.c */ \
	X(void *, dispatch_queue_create, (const char *label, void *attributes)) \
	X(void *, dispatch_queue_create_with_target, (const char *label, void *attributes, void *target)) \
	X(void, dispatch_queue_set_width, (void *queue, long width)) \
	X(void, dispatch_queue_set_label_nocopy, (void *queue, const char *label)) \
	X(void *, dispatch_workloop_create, (const char *label)) \
	X(void *, dispatch_workloop_create_inactive, (const char *label)) \
	/* lifecycle.c */ \
	X(void, dispatch_set_target_queue, (void *object, void *queue)) \
	X(void, dispatch_activate, (void *object)) \
	X(void, dispatch_suspend, (void *object)) \
	X(void, dispatch_resume, (void *object)) \
	X(void, dispatch_release, (void *object)) \
	/* sources.c */ \
	X(void *, dispatch_source_create, (const void *type, uintptr_t handle, uintptr_t mask, void *queue)) \
	X(void, dispatch_source_set_event_handler, (void *source, void *block)) \
	X(void, dispatch_source_set_event_handler_f, (void *source, qs_function_t work)) \
	X(void, dispatch_source_set_cancel_handler, (void *source, void *block)) \
	X(void, dispatch_source_set_cancel_handler_f, (void *source, qs_function_t work)) \
	X(void, dispatch_source_set_mandatory_cancel_handler, (void *source, void *block)) \
	X(void, dispatch_source_set_mandatory_cancel_handler_f, (void *source, qs_function_t work)) \
	X(void, dispatch_source_set_registration_handler, (void *source, void *block)) \
	X(void, dispatch_source_set_registration_handler_f, (void *source, qs_function_t work)) \
	X(void, dispatch_source_set_timer, (void *source, uint64_t start, uint64_t interval, uint64_t leeway)) \
	X(void, dispatch_source_merge_data, (void *source, uintptr_t value)) \
	X(void, dispatch_source_cancel, (void *source)) \
	X(void, dispatch_source_cancel_and_wait, (void *source)) \
	/* io.c */ \
	X(void, dispatch_read, (int file, size_t length, void *queue, void *handler)) \
	X(void, dispatch_read_f, (int file, size_t length, void *queue, void *context, qs_data_function_t work)) \
	X(void, dispatch_write, (int file, void *data, void *queue, void *handler)) \
	X(void, dispatch_write_f, (int file, void *data, void *queue, void *context, qs_data_function_t work)) \
	X(void *, dispatch_io_create, (unsigned long type, int file, void *queue, void *cleanup)) \
	X(void *, dispatch_io_create_f, \
		(unsigned long type, int file, void *queue, void *context, qs_cleanup_function_t cleanup)) \
	X(void *, dispatch_io_create_with_path, \
		(unsigned long type, const char *path, int flags, mode_t mode, void *queue, void *cleanup)) \
	X(void *, dispatch_io_create_with_path_f, \
		(unsigned long type, const char *path, int flags, mode_t mode, void *queue, void *context, \
			qs_cleanup_function_t cleanup)) \
	X(void *, dispatch_io_create_with_io, (unsigned long type, void *io, void *queue, void *cleanup)) \
	X(void *, dispatch_io_create_with_io_f, \
		(unsigned long type, void *io, void *queue, void *context, qs_cleanup_function_t cleanup)) \
	X(void, dispatch_io_read, (void *channel, off_t offset, size_t length, void *queue, void *handler)) \
	X(void, dispatch_io_read_f, \
		(void *channel, off_t offset, size_t length, void *queue, void *context, qs_channel_function_t work)) \
	X(void, dispatch_io_write, (void *channel, off_t offset, void *data, void *queue, void *handler)) \
	X(void, dispatch_io_write_f, \
		(void *channel, off_t offset, void *data, void *queue, void *context, qs_channel_function_t work)) \
	X(void, dispatch_io_barrier, (void *channel, void *block)) \
	X(void, dispatch_io_barrier_f, (void *channel, void *context, qs_function_t work))

// libdispatch's log function. Separate from the others, because compilers place it in a section of cold code.
#define QS_MESSAGE_ORIGINALS(X) \
	/* log.c */ \
	X(void, _dispatch_log, (const char *format, ...))

// libc's functions: the calls of libdispatch through the PLT, mutexes, the waits of event loops, and exec.
#define QS_LIBC_ORIGINALS(X) \
	/* futex.c */ \
	X(long, syscall, (long number, long a, long b, long c, long d, long e, long f)) \
	/* sandboxes.c */ \
	X(int, prctl, (int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)) \
	/* workers.c */ \
	X(int, pthread_create, \
		(pthread_t *thread, const pthread_attr_t *attributes, qs_thread_function_t start, void *argument)) \
	/* crashes.c */ \
	X(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old)) \
	/* mutexes.c */ \
	X(int, pthread_mutex_init, (pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)) \
	X(int, pthread_mutex_lock, (pthread_mutex_t *mutex)) \
	X(int, pthread_mutex_unlock, (pthread_mutex_t *mutex)) \
	/* read_write_locks.c */ \
	X(int, pthread_rwlock_init, (pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)) \
	X(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock)) \
	X(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock)) \
	X(int, pthread_rwlock_unlock, (pthread_rwlock_t *lock)) \
	/* conditions.c */ \
	X(int, pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *mutex)) \
	X(int, pthread_cond_timedwait, \
		(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline)) \
	X(int, pthread_cond_clockwait, \
		(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline)) \
	/* event_loops.c */ \
	X(int, epoll_wait, (int set, struct epoll_event *events, int count, int timeout)) \
	X(int, epoll_pwait, (int set, struct epoll_event *events, int count, int timeout, const sigset_t *signals)) \
	X(int, epoll_pwait2, \
		(int set, struct epoll_event *events, int count, const struct timespec *timeout, const sigset_t *signals)) \
	X(int, epoll_create, (int size)) \
	X(int, epoll_create1, (int flags)) \
	X(int, epoll_ctl, (int set, int operation, int number, struct epoll_event *event)) \
	X(int, poll, (struct pollfd *polled, unsigned long count, int timeout)) \
	X(int, ppoll, \
		(struct pollfd *polled, unsigned long count, const struct timespec *timeout, const sigset_t *signals)) \
	X(int, eventfd, (unsigned int value, int flags)) \
	X(int, eventfd_write, (int number, uint64_t value)) \
	/* exec.c */ \
	X(int, execve, (const char *path, char *const *arguments, char *const *environment)) \
	X(int, execv, (const char *path, char *const *arguments)) \
	X(int, execvp, (const char *file, char *const *arguments)) \
	X(int, execvpe, (const char *file, char *const *arguments, char *const *environment)) \
	X(int, fexecve, (int file, char *const *arguments, char *const *environment)) \
	X(int, execveat, (int directory, const char *path, char *const *arguments, char *const *environment, int flags)) \
	X(int, execl, (const char *path, const char *first, ...)) \
	X(int, execlp, (const char *file, const char *first, ...)) \
	X(int, execle, (const char *path, const char *first, ...))

// The functions that the preload object exports and replaces also without a session. Programs call them rarely.
#define QS_EXPORTED_ORIGINALS(X) \
	/* forks.c */ \
	X(int, __register_atfork, (void (*prepare)(void), void (*in_parent)(void), void (*in_child)(void), void *object)) \
	/* preload.c */ \
	X(int, pthread_key_create, (pthread_key_t *key, void (*destroy)(void *)))

// Hooks of the preload object only.
#define QS_PRELOAD_ORIGINALS(X) \
	/* preload.c */ \
	X(void *, dlopen, (const char *path, int mode)) \
	X(int, dlclose, (void *library))

// CoreFoundation's functions, which are in libFoundation. Hooks of the preload object only.
#define QS_FOUNDATION_ORIGINALS(X) \
	/* run_loops.c */ \
	X(void, CFRunLoopAddTimer, (void *loop, void *timer, const void *mode)) \
	X(void, CFRunLoopTimerInvalidate, (void *timer)) \
	X(void, CFRunLoopRun, (void)) \
	X(int32_t, CFRunLoopRunInMode, (const void *mode, double seconds, unsigned char returns))

// Swift's calling conventions. A compiler that ignored these attributes would make hooks that corrupt register values
// of the program.
#if !__has_attribute(swiftcall) || !__has_attribute(swiftasynccall)
#error "no swiftasynccall: build with Swift's clang, or clang 14 or later"
#endif
#define QS_SWIFT __attribute__((swiftcall))
#define QS_ASYNC __attribute__((swiftasynccall))
#define QS_ASYNC_CONTEXT __attribute__((swift_async_context))

typedef QS_SWIFT void (*qs_deinit_t)(void *object);
typedef QS_ASYNC void (*qs_resume_t)(QS_ASYNC_CONTEXT void *context);

struct qs_created_task {
	void *task;
	void *context;
};

// Functions of the runtime of Swift Concurrency that code calls through the PLT. The functions for entering and leaving
// a thread are in libswiftCore, and the runtime calls them there.
#define QS_CONCURRENCY_ORIGINALS(X) \
	/* tasks.c */ \
	X(QS_SWIFT struct qs_created_task, swift_task_create, \
		(uintptr_t flags, const void *options, const void *type, void *entry, void *closure)) \
	X(QS_SWIFT void, swift_asyncLet_begin, \
		(void *alet, const void *options, const void *type, void *entry, void *closure, void *buffer)) \
	X(QS_SWIFT void, swift_continuation_resume, (void *task)) \
	X(QS_SWIFT void, swift_continuation_throwingResume, (void *task)) \
	X(QS_SWIFT void, swift_continuation_throwingResumeWithError, (void *task, void *error)) \
	X(void, swift_task_enterThreadLocalContext, (char *state)) \
	X(void, swift_task_exitThreadLocalContext, (char *state)) \
	X(void, swift_reportError, (uint32_t flags, const char *message)) \
	/* actors.c */ \
	X(QS_ASYNC void, swift_task_switch, \
		(QS_ASYNC_CONTEXT void *context, qs_resume_t resume, uintptr_t identity, uintptr_t implementation)) \
	X(QS_SWIFT void, swift_defaultActor_initialize, (void *actor)) \
	X(QS_SWIFT void, swift_defaultActor_destroy, (void *actor)) \
	/* deinits.c */ \
	X(QS_SWIFT void, swift_task_deinitOnExecutor, \
		(void *object, qs_deinit_t work, uintptr_t identity, uintptr_t implementation, uintptr_t flags))

#define QS_ORIGINALS(X) \
	QS_DISPATCH_ORIGINALS(X) QS_MESSAGE_ORIGINALS(X) QS_LIBC_ORIGINALS(X) QS_CONCURRENCY_ORIGINALS(X)

struct qs_originals {
#define QS_MEMBER(result, name, parameters) result (*name) parameters;
	QS_ORIGINALS(QS_MEMBER) QS_EXPORTED_ORIGINALS(QS_MEMBER)
	QS_PRELOAD_ORIGINALS(QS_MEMBER) QS_FOUNDATION_ORIGINALS(QS_MEMBER)
#undef QS_MEMBER
};

extern struct qs_originals qs_originals;

// Looks up libc's originals. Called by the constructor, or by the first hook if it runs earlier. Returns whether
// libdispatch is in the process. Context: any. Allocates: no. Blocks: takes the loader's lock.
bool qs_find_libc_originals(void);

// Looks up libdispatch's originals and helpers.
void qs_find_dispatch_originals(void);

// Looks up all originals that are loaded. Context: any. Blocks: takes the loader's lock.
void qs_find_originals(void);

// Looks up the originals and helpers of Swift Concurrency's runtime. Returns whether the runtime is in the process.
bool qs_find_concurrency_originals(void);

// Looks up all originals and everything else that the hooks need in a process with libdispatch. Called by the
// constructor, by the first hook if it runs earlier, or when libdispatch is loaded later. Never called in a program
// without libdispatch. Context: not async-signal-safe.
void qs_interposer_prepare(void);

// The original of a hook. In the wrap front end the linker fills the table; otherwise the first call fills it.
#ifdef QS_FRONT_END_WRAP
#define original(name) (qs_originals.name)
#define libc_original(name) (qs_originals.name)
#define swift_original(name) (qs_originals.name)
#else
// Slow paths: a hook was called before the constructor, or its library was loaded late.
QS_SLOW_PATH void qs_find_originals_late(void);
QS_SLOW_PATH void qs_find_libc_originals_late(void);
QS_SLOW_PATH void qs_find_concurrency_originals_late(void);
QS_SLOW_PATH void qs_find_foundation_originals_late(void);

#define QS_ORIGINAL(name, find) \
	(__builtin_expect(qs_originals.name != NULL, 1) ? qs_originals.name : (find(), qs_originals.name))
#define libc_original(name) QS_ORIGINAL(name, qs_find_libc_originals_late)
#ifdef QS_FRONT_END_PRELOAD
// Only a slot calls these hooks, and a slot gets a hook after its original was found.
#define original(name) (qs_originals.name)
#define swift_original(name) (qs_originals.name)
#else
#define original(name) QS_ORIGINAL(name, qs_find_originals_late)
#define swift_original(name) QS_ORIGINAL(name, qs_find_concurrency_originals_late)
#endif
#define foundation_original(name) QS_ORIGINAL(name, qs_find_foundation_originals_late)
#endif

// Functions of CoreFoundation that the hooks of run loops call. NULL when missing.
struct qs_run_loop_functions {
	void *(*current)(void);
	void *(*copy_mode)(void *loop);  // the mode that the run loop runs in, retained; NULL when it does not run
	void (*release)(void *object);
	double (*next_fire)(void *timer);
	double (*now)(void);
};

extern struct qs_run_loop_functions qs_run_loop_functions;

// DISPATCH_QUEUE_OVERCOMMIT, a flag for get_global_queue.
enum { QS_OVERCOMMIT = 2 };

// Functions and variables of libdispatch and the blocks runtime that are used but not hooked. NULL when missing.
struct dl_find_object;

struct qs_helpers {
	// _dl_find_object of glibc 2.35. Looked up at run time, so that the object also loads with older versions.
	int (*find_object)(void *address, struct dl_find_object *result);
	void *(*block_copy)(const void *block);
	void (*block_release)(const void *block);
	void *(*get_current_queue)(void);
	void *(*get_global_queue)(intptr_t identifier, uintptr_t flags);
	void *(*get_context)(void *object);
	unsigned int (*queue_get_qos_class)(void *queue, int *relative_priority);
	uintptr_t (*source_get_data)(void *source);
	uintptr_t (*source_get_handle)(void *source);
	intptr_t (*source_testcancel)(void *source);
	void (*object_release_internal)(void *object);  // releases an internal reference
	const void *source_types[7];           // by enum qs_source_type
	void (*special_invoke)(void *);        // the invoke function of blocks with private data
	void *stack_block;                     // _NSConcreteStackBlock
	const void *queue_offsets;             // dispatch_queue_offsets
	void *main_queue;                      // _dispatch_main_q
};

extern struct qs_helpers qs_helpers;

#endif
