#include "originals.h"

#include "swift_runtime.h"

#ifdef QS_FRONT_END_WRAP

// Not every C library has these functions. A library that has them defines each in the same object file as its family.
extern int __real_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
	const struct timespec *deadline) __attribute__((weak));
extern int __real_epoll_pwait2(int set, struct epoll_event *events, int count, const struct timespec *timeout,
	const sigset_t *signals) __attribute__((weak));
extern int __real_execveat(int directory, const char *path, char *const *arguments, char *const *environment, int flags)
	__attribute__((weak));

// The linker resolves __real_NAME to the function that --wrap=NAME replaced.
#define QS_REAL(result, name, parameters) extern result __real_##name parameters;
#define QS_WEAK_REAL(result, name, parameters) extern result __real_##name parameters __attribute__((weak));
QS_DISPATCH_ORIGINALS(QS_REAL) QS_MESSAGE_ORIGINALS(QS_REAL) QS_LIBC_ORIGINALS(QS_REAL)
// A program may not contain the runtime of Swift Concurrency.
QS_CONCURRENCY_ORIGINALS(QS_WEAK_REAL)
#undef QS_REAL
#undef QS_WEAK_REAL

struct qs_originals qs_originals = {
#define QS_ENTRY(result, name, parameters) .name = __real_##name,
	QS_ORIGINALS(QS_ENTRY)
#undef QS_ENTRY
};

extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);
extern void *dispatch_get_current_queue(void);
extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
extern void *dispatch_get_context(void *object);
extern unsigned int dispatch_queue_get_qos_class(void *queue, int *relative_priority);
extern uintptr_t dispatch_source_get_data(void *source);
extern uintptr_t dispatch_source_get_handle(void *source);
extern intptr_t dispatch_source_testcancel(void *source);
extern void _os_object_release_internal(void *object);
extern const char _dispatch_source_type_read[], _dispatch_source_type_write[], _dispatch_source_type_timer[];
extern const char _dispatch_source_type_signal[], _dispatch_source_type_data_add[], _dispatch_source_type_data_or[];
extern const char _dispatch_source_type_data_replace[];
extern void (*const _dispatch_block_special_invoke)(void *);
extern char _NSConcreteStackBlock[];
extern const char dispatch_queue_offsets[];
extern char _dispatch_main_q[];

struct qs_helpers qs_helpers = {
	.block_copy = _Block_copy,
	.block_release = _Block_release,
	.get_current_queue = dispatch_get_current_queue,
	.get_global_queue = dispatch_get_global_queue,
	.get_context = dispatch_get_context,
	.queue_get_qos_class = dispatch_queue_get_qos_class,
	.source_get_data = dispatch_source_get_data,
	.source_get_handle = dispatch_source_get_handle,
	.source_testcancel = dispatch_source_testcancel,
	.object_release_internal = _os_object_release_internal,
	.source_types = {
		_dispatch_source_type_read, _dispatch_source_type_write, _dispatch_source_type_timer,
		_dispatch_source_type_signal, _dispatch_source_type_data_add, _dispatch_source_type_data_or,
		_dispatch_source_type_data_replace},
	.stack_block = _NSConcreteStackBlock,
	.queue_offsets = dispatch_queue_offsets,
	.main_queue = _dispatch_main_q,
};

extern void *swift_task_getCurrent(void) __attribute__((weak));
extern void swift_task_getCurrentExecutor(void) __attribute__((weak));
extern void swift_task_getJobTaskId(void) __attribute__((weak));
extern void swift_task_currentPriority(void) __attribute__((weak));
extern void swift_getTypeName(void) __attribute__((weak));
extern void swift_task_enqueue(void) __attribute__((weak));
extern void swift_task_enqueueGlobal(void) __attribute__((weak));
extern void swift_task_cancel(void) __attribute__((weak));
extern void swift_task_escalate(void) __attribute__((weak));
extern void swift_taskGroup_wait_next_throwing(void) __attribute__((weak));
extern void swift_task_getCurrentTaskName(void) __attribute__((weak));
extern qs_sanitizer_function_t _swift_tsan_acquire __attribute__((weak));
extern qs_sanitizer_function_t _swift_tsan_release __attribute__((weak));
extern const uint32_t _swift_concurrency_debug_internal_layout_version __attribute__((weak));
extern const size_t _swift_concurrency_debug_asyncTaskSize __attribute__((weak));

bool qs_find_libc_originals(void)
{
	return true;
}

bool qs_find_concurrency_originals(void)
{
	qs_swift_runtime = (struct qs_swift_runtime){
		.get_current = (void *)swift_task_getCurrent,
		.get_current_executor = (void *)swift_task_getCurrentExecutor,
		.task_id = (void *)swift_task_getJobTaskId,
		.current_priority = (void *)swift_task_currentPriority,
		.type_name = (void *)swift_getTypeName,
		.tsan_acquire = &_swift_tsan_acquire,
		.tsan_release = &_swift_tsan_release,
		.enqueue = (void *)swift_task_enqueue,
		.enqueue_global = (void *)swift_task_enqueueGlobal,
		.cancel = (void *)swift_task_cancel,
		.escalate = (void *)swift_task_escalate,
		.group_next = (void *)swift_taskGroup_wait_next_throwing,
		.task_name = (void *)swift_task_getCurrentTaskName,
		.layout_version = &_swift_concurrency_debug_internal_layout_version,
		.task_size = &_swift_concurrency_debug_asyncTaskSize,
	};
	return qs_swift_runtime.task_id != NULL;
}

void qs_find_dispatch_originals(void)
{
	qs_helpers.special_invoke = _dispatch_block_special_invoke;
}

#else

#include "conditions.h"
#include "loaded_symbols.h"

struct qs_originals qs_originals;
struct qs_helpers qs_helpers;

static void *libdispatch_mark;

#define QS_WANTED(result, name, parameters) {#name, (void **)&qs_originals.name, NULL, false},
#define QS_HELPER(member, name) {name, (void **)&qs_helpers.member, NULL, false}
#define QS_VARIABLE(member, name) {name, (void **)&qs_helpers.member, NULL, true}

static const struct qs_wanted_symbol libc_symbols[] = {
	QS_LIBC_ORIGINALS(QS_WANTED)
	QS_EXPORTED_ORIGINALS(QS_WANTED)
	QS_PRELOAD_ORIGINALS(QS_WANTED)
#ifdef QS_OLD_CONDITIONS
	{"pthread_cond_wait", (void **)&qs_old_conditions.wait, QS_OLD_CONDITIONS, false},
	{"pthread_cond_timedwait", (void **)&qs_old_conditions.timedwait, QS_OLD_CONDITIONS, false},
#endif
	QS_HELPER(find_object, "_dl_find_object"),
	{"dispatch_async_f", &libdispatch_mark, NULL, false},
};

static void (*const *special_invoke)(void *);

static const struct qs_wanted_symbol dispatch_symbols[] = {
	QS_DISPATCH_ORIGINALS(QS_WANTED)
	QS_MESSAGE_ORIGINALS(QS_WANTED)
	QS_HELPER(block_copy, "_Block_copy"),
	QS_HELPER(block_release, "_Block_release"),
	QS_HELPER(get_current_queue, "dispatch_get_current_queue"),
	QS_HELPER(get_global_queue, "dispatch_get_global_queue"),
	QS_HELPER(get_context, "dispatch_get_context"),
	QS_HELPER(queue_get_qos_class, "dispatch_queue_get_qos_class"),
	QS_HELPER(source_get_data, "dispatch_source_get_data"),
	QS_HELPER(source_get_handle, "dispatch_source_get_handle"),
	QS_HELPER(source_testcancel, "dispatch_source_testcancel"),
	QS_HELPER(object_release_internal, "_os_object_release_internal"),
	QS_HELPER(stack_block, "_NSConcreteStackBlock"),
	QS_HELPER(queue_offsets, "dispatch_queue_offsets"),
	{"_dispatch_block_special_invoke", (void **)&special_invoke, NULL, false},
	{"swift_task_getJobTaskId", (void **)&qs_swift_runtime.task_id, NULL, false},
	// A program may have copies of these variables; libdispatch then uses the copies as well.
	QS_VARIABLE(main_queue, "_dispatch_main_q"),
	QS_VARIABLE(source_types[0], "_dispatch_source_type_read"),
	QS_VARIABLE(source_types[1], "_dispatch_source_type_write"),
	QS_VARIABLE(source_types[2], "_dispatch_source_type_timer"),
	QS_VARIABLE(source_types[3], "_dispatch_source_type_signal"),
	QS_VARIABLE(source_types[4], "_dispatch_source_type_data_add"),
	QS_VARIABLE(source_types[5], "_dispatch_source_type_data_or"),
	QS_VARIABLE(source_types[6], "_dispatch_source_type_data_replace"),
};

#define QS_RUNTIME(member, name) {name, (void **)&qs_swift_runtime.member, NULL, false}
#define QS_RUNTIME_VARIABLE(member, name) {name, (void **)&qs_swift_runtime.member, NULL, true}

static const struct qs_wanted_symbol concurrency_symbols[] = {
	QS_CONCURRENCY_ORIGINALS(QS_WANTED)
	QS_RUNTIME(get_current, "swift_task_getCurrent"),
	QS_RUNTIME(get_current_executor, "swift_task_getCurrentExecutor"),
	QS_RUNTIME(current_priority, "swift_task_currentPriority"),
	QS_RUNTIME(type_name, "swift_getTypeName"),
	QS_RUNTIME(enqueue, "swift_task_enqueue"),
	QS_RUNTIME(enqueue_global, "swift_task_enqueueGlobal"),
	QS_RUNTIME(cancel, "swift_task_cancel"),
	QS_RUNTIME(escalate, "swift_task_escalate"),
	QS_RUNTIME(group_next, "swift_taskGroup_wait_next_throwing"),
	QS_RUNTIME(task_name, "swift_task_getCurrentTaskName"),
	QS_RUNTIME_VARIABLE(tsan_acquire, "_swift_tsan_acquire"),
	QS_RUNTIME_VARIABLE(tsan_release, "_swift_tsan_release"),
	QS_RUNTIME_VARIABLE(layout_version, "_swift_concurrency_debug_internal_layout_version"),
	QS_RUNTIME_VARIABLE(task_size, "_swift_concurrency_debug_asyncTaskSize"),
};

struct qs_run_loop_functions qs_run_loop_functions;

#define QS_RUN_LOOP(member, name) {name, (void **)&qs_run_loop_functions.member, NULL, false}

static const struct qs_wanted_symbol foundation_symbols[] = {
	QS_FOUNDATION_ORIGINALS(QS_WANTED)
	QS_RUN_LOOP(current, "CFRunLoopGetCurrent"),
	QS_RUN_LOOP(copy_mode, "CFRunLoopCopyCurrentMode"),
	QS_RUN_LOOP(release, "CFRelease"),
	QS_RUN_LOOP(next_fire, "CFRunLoopTimerGetNextFireDate"),
	QS_RUN_LOOP(now, "CFAbsoluteTimeGetCurrent"),
};

QS_SLOW_PATH void qs_find_foundation_originals_late(void)
{
	qs_symbols_find(foundation_symbols, sizeof foundation_symbols / sizeof foundation_symbols[0]);
}

bool qs_find_concurrency_originals(void)
{
	// This symbol was searched together with libdispatch's. If it is missing, the runtime is not in the process.
	if (qs_swift_runtime.task_id == NULL) return false;
	qs_symbols_find(concurrency_symbols, sizeof concurrency_symbols / sizeof concurrency_symbols[0]);
	return true;
}

bool qs_find_libc_originals(void)
{
	qs_symbols_find(libc_symbols, sizeof libc_symbols / sizeof libc_symbols[0]);
	return libdispatch_mark != NULL;
}

void qs_find_dispatch_originals(void)
{
	qs_symbols_find(dispatch_symbols, sizeof dispatch_symbols / sizeof dispatch_symbols[0]);
	if (special_invoke != NULL) qs_helpers.special_invoke = *special_invoke;
}

void qs_find_originals(void)
{
	if (qs_find_libc_originals()) qs_interposer_prepare();
	qs_find_foundation_originals_late();
}

QS_SLOW_PATH void qs_find_originals_late(void)
{
	qs_interposer_prepare();
}

QS_SLOW_PATH void qs_find_libc_originals_late(void)
{
	qs_find_libc_originals();
}

QS_SLOW_PATH void qs_find_concurrency_originals_late(void)
{
	qs_find_dispatch_originals();
	if (qs_find_concurrency_originals()) {
		qs_swift_runtime_prepare();
		return;
	}
	// A program may have libswiftCore without libswift_Concurrency.
	qs_symbols_find(concurrency_symbols, sizeof concurrency_symbols / sizeof concurrency_symbols[0]);
}

#endif
