#include "originals.h"

#ifdef QS_FRONT_END_WRAP

// Not every C library has it, and who has it defines it along with the others.
extern int __real_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
	const struct timespec *deadline) __attribute__((weak));

// The linker resolves __real_NAME to what --wrap=NAME took the place of.
#define QS_REAL(result, name, parameters) extern result __real_##name parameters;
QS_ORIGINALS(QS_REAL)
#undef QS_REAL

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
	.source_testcancel = dispatch_source_testcancel,
	.object_release_internal = _os_object_release_internal,
	.source_types = {
		_dispatch_source_type_read, _dispatch_source_type_write, _dispatch_source_type_timer, _dispatch_source_type_signal,
		_dispatch_source_type_data_add, _dispatch_source_type_data_or, _dispatch_source_type_data_replace},
	.stack_block = _NSConcreteStackBlock,
	.queue_offsets = dispatch_queue_offsets,
	.main_queue = _dispatch_main_q,
};

void qs_find_originals(void)
{
	qs_helpers.special_invoke = _dispatch_block_special_invoke;
}

#else

#define _GNU_SOURCE
#include <dlfcn.h>

struct qs_originals qs_originals;
struct qs_helpers qs_helpers;

// A library that the program opened late, and for itself only: its symbols are no next ones. NULL when `symbol` of it is,
// and when the library is not there. One look for all symbols: a library that is not there is looked for everywhere.
static void *open_hidden(const char *library, const char *symbol)
{
	if (dlsym(RTLD_NEXT, symbol) != NULL) return NULL;
	return dlopen(library, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

// The next definition after ours, or the one in a library that was opened.
static void *find(const char *name, void *library)
{
	void *address = dlsym(RTLD_NEXT, name);
	return address == NULL && library != NULL ? dlsym(library, name) : address;
}

// A variable may have been copied into the program when that was linked; then libdispatch uses the copy as well.
static void *find_data(const char *name, void *library)
{
	void *address = dlsym(RTLD_DEFAULT, name);
	return address != NULL ? address : find(name, library);
}

// By enum qs_source_type.
static const char *const source_types[] = {
	"_dispatch_source_type_read",
	"_dispatch_source_type_write",
	"_dispatch_source_type_timer",
	"_dispatch_source_type_signal",
	"_dispatch_source_type_data_add",
	"_dispatch_source_type_data_or",
	"_dispatch_source_type_data_replace",
};

void qs_find_originals(void)
{
	void *libdispatch = open_hidden("libdispatch.so", "dispatch_async_f");
	void *blocks_runtime = open_hidden("libBlocksRuntime.so", "_Block_copy");
	// Threads that come here at the same time store the same addresses.
#define QS_FIND_DISPATCH(result, name, parameters) \
	__atomic_store_n((void **)&qs_originals.name, find(#name, libdispatch), __ATOMIC_RELAXED);
	QS_DISPATCH_ORIGINALS(QS_FIND_DISPATCH)
	QS_MESSAGE_ORIGINALS(QS_FIND_DISPATCH)
#undef QS_FIND_DISPATCH
#define QS_FIND_LIBC(result, name, parameters) \
	__atomic_store_n((void **)&qs_originals.name, find(#name, NULL), __ATOMIC_RELAXED);
	QS_LIBC_ORIGINALS(QS_FIND_LIBC)
#undef QS_FIND_LIBC
#define QS_FIND_HELPER(member, name, library) \
	__atomic_store_n((void **)&qs_helpers.member, find(name, library), __ATOMIC_RELAXED)
	QS_FIND_HELPER(find_object, "_dl_find_object", NULL);
	QS_FIND_HELPER(block_copy, "_Block_copy", blocks_runtime);
	QS_FIND_HELPER(block_release, "_Block_release", blocks_runtime);
	QS_FIND_HELPER(get_current_queue, "dispatch_get_current_queue", libdispatch);
	QS_FIND_HELPER(get_global_queue, "dispatch_get_global_queue", libdispatch);
	QS_FIND_HELPER(get_context, "dispatch_get_context", libdispatch);
	QS_FIND_HELPER(queue_get_qos_class, "dispatch_queue_get_qos_class", libdispatch);
	QS_FIND_HELPER(source_get_data, "dispatch_source_get_data", libdispatch);
	QS_FIND_HELPER(source_testcancel, "dispatch_source_testcancel", libdispatch);
	QS_FIND_HELPER(object_release_internal, "_os_object_release_internal", libdispatch);
	void (*const *special_invoke)(void *) = find("_dispatch_block_special_invoke", libdispatch);
	if (special_invoke != NULL) qs_helpers.special_invoke = *special_invoke;
	QS_FIND_HELPER(stack_block, "_NSConcreteStackBlock", blocks_runtime);
	QS_FIND_HELPER(queue_offsets, "dispatch_queue_offsets", libdispatch);
	__atomic_store_n(&qs_helpers.main_queue, find_data("_dispatch_main_q", libdispatch), __ATOMIC_RELAXED);
#undef QS_FIND_HELPER
	for (size_t index = 0; index < sizeof source_types / sizeof source_types[0]; index++) {
		__atomic_store_n((void **)&qs_helpers.source_types[index], find_data(source_types[index], libdispatch), __ATOMIC_RELAXED);
	}
	if (blocks_runtime != NULL) dlclose(blocks_runtime);
	if (libdispatch != NULL) dlclose(libdispatch);
}

#endif
