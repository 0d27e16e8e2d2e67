// Prepares the hooks: locates libdispatch's code and checks the layout of its queues.
#define _GNU_SOURCE
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "context_nodes.h"
#include "encounters.h"
#include "exec_environment.h"
#include "known_groups.h"
#include "old_glibc.h"
#include "preload.h"
#include "queue_state.h"
#include "slots.h"
#include "statedump.h"
#include "swift_runtime.h"
#include "tasks.h"

struct qs_text_range qs_libdispatch_texts[QS_LIBDISPATCH_TEXTS];
struct qs_text_range qs_hooks_text, qs_runners_text;
bool qs_queue_layout_is_known;
// Defined by the linker.
extern char __start_qs_hooks[] __attribute__((visibility("hidden")));
extern char __stop_qs_hooks[] __attribute__((visibility("hidden")));
extern char __start_qs_runners[] __attribute__((visibility("hidden")));
extern char __stop_qs_runners[] __attribute__((visibility("hidden")));
__thread struct qs_hook_thread qs_hook_thread __attribute__((tls_model("initial-exec")));

#ifdef QS_FRONT_END_WRAP

// A static program contains libdispatch. The linker places its object files next to each other, and the cold code of
// the compiler in another place. Known functions with smaller gaps than this belong to one range of libdispatch.
static const uintptr_t largest_gap = 32 * 1024;

// Functions without hooks. They represent object files that contain no hooked function.
extern char dispatch_data_copy_region[], dispatch_data_create[], dispatch_time[];
extern char _dispatch_wait_for_enqueuer[], _dispatch_block_create[];

static void find_libdispatch(void)
{
	uintptr_t addresses[] = {
#define QS_ADDRESS(result, name, parameters) (uintptr_t)qs_originals.name,
		QS_DISPATCH_ORIGINALS(QS_ADDRESS) QS_MESSAGE_ORIGINALS(QS_ADDRESS)
#undef QS_ADDRESS
		(uintptr_t)dispatch_data_copy_region, (uintptr_t)dispatch_data_create, (uintptr_t)dispatch_time,
		 (uintptr_t)_dispatch_wait_for_enqueuer, (uintptr_t)_dispatch_block_create};
	size_t count = sizeof addresses / sizeof addresses[0];
	for (size_t index = 1; index < count; index++) {
		uintptr_t address = addresses[index];
		size_t position = index;
		for (; position > 0 && addresses[position - 1] > address; position--) {
			addresses[position] = addresses[position - 1];
		}
		addresses[position] = address;
	}
	size_t found = 0;
	for (size_t begin = 0, end; begin < count && found < QS_LIBDISPATCH_TEXTS; begin = end) {
		for (end = begin + 1; end < count && addresses[end] - addresses[end - 1] < largest_gap; end++) {}
		qs_libdispatch_texts[found++] = (struct qs_text_range){addresses[begin], addresses[end - 1] - addresses[begin]};
	}
}

#else

struct text_search {
	uintptr_t address;
	struct qs_text_range found;
};

static int look_into_image(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct text_search *search = context;
	for (int index = 0; index < info->dlpi_phnum; index++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
		if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
		uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
		if (search->address - begin >= segment->p_memsz) continue;
		search->found.begin = begin;
		search->found.size = segment->p_memsz;
		return 1;
	}
	return 0;
}

static void find_libdispatch(void)
{
	// A program with ThreadSanitizer has functions of its own in place of most functions of libdispatch, but not of
	// this.
	struct text_search search = {.address = (uintptr_t)qs_helpers.get_current_queue};
	if (search.address != 0) dl_iterate_phdr(look_into_image, &search);
	qs_libdispatch_texts[0] = search.found;
}

#endif

// Whether a number can be the owner of the main queue: none, the main thread, or another thread of this process.
static bool is_owner(uint32_t tid)
{
	return tid == 0 || tid == (uint32_t)getpid() || syscall(SYS_tgkill, getpid(), tid, 0) == 0;
}

static void find_queue_layout(void)
{
	const struct qs_queue_offsets *offsets = qs_helpers.queue_offsets;
	if (offsets == NULL || qs_helpers.main_queue == NULL || qs_queue_layout_is_known) return;
	qs_set_queue_offsets(offsets);
	// From libdispatch's constructor on, the main thread owns the main queue; before that (possible in a program that
	// contains libdispatch) and after dispatch_main, the queue has no owner, or the thread that drains it. A word with
	// one of these values is the state word.
	uint32_t word;
	memcpy(&word, (char *)qs_helpers.main_queue + QS_QUEUE_STATE, sizeof word);
	qs_queue_layout_is_known = offsets->serial == QS_QUEUE_SERIAL && offsets->serial_size == sizeof(long)
		&& offsets->target == QS_QUEUE_TARGET && offsets->target_size == sizeof(void *)
		&& offsets->width == QS_QUEUE_WIDTH && offsets->width_size == sizeof(uint16_t)
		&& is_owner(word & 0x3FFFFFFF);
}

void qs_interposer_prepare(void)
{
	qs_find_libc_originals();
	qs_find_dispatch_originals();
	if (qs_originals.dispatch_async_f == NULL) return;
	if (!qs_has_thread_functions()) return;
	uintptr_t hooks = (uintptr_t)__start_qs_hooks;
	__asm__("" : "+r"(hooks)); // otherwise the compiler computes the range in every hook instead of loading it
	qs_hooks_text = (struct qs_text_range){hooks, (uintptr_t)__stop_qs_hooks - hooks};
	uintptr_t runners = (uintptr_t)__start_qs_runners;
	__asm__("" : "+r"(runners));
	qs_runners_text = (struct qs_text_range){runners, (uintptr_t)__stop_qs_runners - runners};
	find_libdispatch();
	find_queue_layout();
	qs_context_nodes_prepare();
	if (qs_find_concurrency_originals()) qs_swift_runtime_prepare();
#ifdef QS_FRONT_END_PRELOAD
	// The program has just opened libdispatch. Exactly one thread starts the session.
	if (__atomic_exchange_n(&qs_start_is_deferred, false, __ATOMIC_ACQ_REL)) qs_start_preloaded_session_late();
#endif
}

static void begin_session(void)
{
	qs_objects_forget();
	qs_known_groups_forget();
	qs_encounters_begin();
	qs_tasks_follow_runtime();
}

static void end_session(void)
{
	qs_tasks_leave_runtime();
#ifdef QS_FRONT_END_PRELOAD
	qs_slots_restore();
#endif
	qs_objects_forget();
	qs_known_groups_forget();
}

static const struct qs_session_hooks session_hooks = {
	.begin = begin_session,
	.end = end_session,
#ifdef QS_FRONT_END_PRELOAD
	.install = qs_slots_install,
	.tick = qs_slots_tick,
#endif
};

// Runs before the recorder's constructor, which starts the session. libdispatch is initialised by then: constructors of
// dependencies run first, and constructors of preloaded libraries run last. In a program without libdispatch, such as a
// shell that only starts the program to be recorded, nothing is allocated and nothing is started.
__attribute__((constructor(101))) static void interposer_starts(void)
{
	bool has_libdispatch = qs_find_libc_originals();
	qs_set_session_hooks(&session_hooks);
	qs_add_statedump(qs_statedump_queues);
	if (has_libdispatch) qs_interposer_prepare();
#ifdef QS_FRONT_END_PRELOAD
	if (has_libdispatch) qs_slots_release_runtime();
	qs_start_is_deferred = !has_libdispatch;
	if (has_libdispatch) qs_start_preloaded_session();
#else
	qs_exec_environment_note();
#endif
}
