// Creation of tasks by swift_task_create and async let. Most tasks are enqueued before these functions return.
#include "tasks.h"
#include "text_map.h"

// Cache of code numbers for entries of new tasks. Most tasks are created in a few places.
enum { ENTRIES = 4 };

static __thread struct known_entry {
	uintptr_t entry;
	uintptr_t captured[2]; // the second word is used only when the first one is type metadata
	uint32_t session;
	uint32_t code;
} entries[ENTRIES] __attribute__((tls_model("initial-exec")));

static struct known_entry *entry_at(uintptr_t word)
{
	return &entries[(uint32_t)(word >> 3) * 0x9E3779B1u >> 30];
}

// A task often runs a thunk. The program's function is then the thunk's first capture, or in a generic thunk the second
// one, after the type metadata. Symbols show later whether the function is a thunk.
static uint32_t code_of_entry(uintptr_t entry, const uintptr_t *closure)
{
	if (entry == 0) return 0;
	enum { HEADER = 2, ALIGNMENT = 16, SMALLEST_PAGE = 4096 };
	// The context of a closure that captures one object may be the object, which may consist of its header only. The
	// bytes after it are readable if they are on the same page.
	bool has_capture = closure != NULL && (uintptr_t)(closure + HEADER) % SMALLEST_PAGE != 0;
	uintptr_t captured = has_capture ? closure[HEADER] : 0;
	// A closure may have no second capture. With this alignment the word is on the same page as the first capture.
	bool has_next = captured != 0 && (uintptr_t)closure % ALIGNMENT == 0;
	uintptr_t next = has_next ? closure[HEADER + 1] : 0;
	uint32_t session = qs_session_number();
	struct known_entry *known = entry_at(entry ^ captured);
	for (int look = 0; look < 2; look++) {
		if (known->entry != entry || known->captured[0] != captured || known->session != session) break;
		if (known->captured[1] == 0 || known->captured[1] == next) return known->code;
		known = entry_at(entry ^ captured ^ next);
	}
	uintptr_t function = qs_async_code(entry);
	uintptr_t inner = captured != 0 ? qs_async_code(captured) : 0;
	bool is_behind_type = inner == 0 && next != 0 && (inner = qs_async_code(next)) != 0;
	if (function == 0) function = entry;
	uint32_t code = inner != 0 ? qs_code_address(inner, function) : qs_code_address(function, 0);
	*known = (struct known_entry){entry, {captured, is_behind_type ? next : 0}, session, code};
	return code;
}

void qs_task_created(const void *task, struct qs_task_creation *creation)
{
	creation->is_recorded = true;
	uint64_t id = qs_task_id(task);
	if (qs_skips_task(id)) return;
	uint64_t parent = qs_task_id(qs_current_task());
	// Only the program's main task and the runtime's own tasks are created without an enqueue.
	if (creation->kind == qs_task_kind_unknown) creation->kind = parent == 0 ? qs_task_kind_main : qs_task_kind_sleep;
	qs_record_task_create(id, creation->kind, creation->qos, parent, creation->group, creation->code);
	if (creation->name != NULL) qs_record_task_name(id, creation->name, __builtin_strlen(creation->name));
}

bool qs_job_is_skipped(const void *job)
{
	bool is_task = qs_tasks_are_followed() && qs_job_is_task(job);
	uint64_t id = is_task ? qs_task_id(job) : QS_FIRST_TASK;
	// The first task is recorded at every rate, but its jobs count as the other jobs of the queue.
	return id != QS_FIRST_TASK ? qs_skips_task(id) : qs_skips_item();
}

void qs_task_delayed(const void *job)
{
	if (!qs_tasks_are_followed() || !qs_job_is_task(job)) return;
	uint64_t id = qs_task_id(job);
	if (!qs_skips_task(id)) qs_record_task_create(id, qs_task_kind_sleep, 0, qs_task_id(qs_current_task()), 0, 0);
}

// Flags and options of task creation, from the ABI.
enum {
	CREATE_PRIORITY = 0xFF,
	CREATE_INHERITS = 1 << 11,
	CREATE_ENQUEUES = 1 << 12,
	CREATE_DISCARDING = 1 << 14,
	CREATE_IMMEDIATE = 1 << 16,
	OPTION_GROUP = 1,
	OPTION_ASYNC_LET = 2,
	OPTION_ASYNC_LET_WITH_BUFFER = 3,
	OPTION_NAME = 7,
	OPTIONS = 8,
};

struct task_option {
	uintptr_t kind; // the low byte is the kind
	const struct task_option *next;
	const void *value;
};

static uint8_t kind_of(uintptr_t flags)
{
	if ((flags & CREATE_IMMEDIATE) != 0) return qs_task_kind_immediate;
	if ((flags & CREATE_ENQUEUES) == 0) return qs_task_kind_unknown;
	return (flags & CREATE_INHERITS) != 0 ? qs_task_kind_unstructured : qs_task_kind_detached;
}

static struct qs_task_creation creation_of(uintptr_t flags, const void *options, void *entry, const void *closure)
{
	struct qs_task_creation creation = {
		.code = code_of_entry((uintptr_t)entry, closure),
		.qos = (uint8_t)(flags & CREATE_PRIORITY),
		.kind = kind_of(flags),
	};
	const struct task_option *option = options;
	for (int count = 0; option != NULL && count < OPTIONS; option = option->next, count++) {
		uint8_t kind = (uint8_t)option->kind;
		if (kind == OPTION_GROUP) {
			creation.group = (uint64_t)(uintptr_t)option->value;
			creation.kind =
				(flags & CREATE_DISCARDING) != 0 ? qs_task_kind_discarding_child : qs_task_kind_group_child;
		} else if (kind == OPTION_ASYNC_LET || kind == OPTION_ASYNC_LET_WITH_BUFFER) {
			// A static runtime's swift_asyncLet_begin calls swift_task_create too.
			creation.kind = qs_task_kind_async_let;
		} else if (kind == OPTION_NAME) {
			creation.name = option->value;
		}
	}
	return creation;
}

QS_SWIFT_HOOK(QS_SWIFT struct qs_created_task, swift_task_create,
	(uintptr_t flags, const void *options, const void *type, void *entry, void *closure))
{
	__typeof__(qs_originals.swift_task_create) create = swift_original(swift_task_create);
	if (!qs_tasks_are_followed()) return create(flags, options, type, entry, closure);
	qs_tasks_install_front();
	struct qs_task_creation creation = creation_of(flags, options, entry, closure);
	struct qs_task_thread *thread = qs_task_thread_known();
	struct qs_task_creation *outer = thread->creation;
	thread->creation = &creation;
	struct qs_created_task created = create(flags, options, type, entry, closure);
	thread->creation = outer;
	if (!creation.is_recorded) qs_task_created(created.task, &creation);
	return created;
}

QS_SWIFT_HOOK(QS_SWIFT void, swift_asyncLet_begin,
	(void *alet, const void *options, const void *type, void *entry, void *closure, void *buffer))
{
	__typeof__(qs_originals.swift_asyncLet_begin) start = swift_original(swift_asyncLet_begin);
	if (!qs_tasks_are_followed()) {
		start(alet, options, type, entry, closure, buffer);
		return;
	}
	struct qs_task_creation creation = {
		.code = code_of_entry((uintptr_t)entry, closure), .kind = qs_task_kind_async_let};
	struct qs_task_thread *thread = qs_task_thread_known();
	struct qs_task_creation *outer = thread->creation;
	thread->creation = &creation;
	start(alet, options, type, entry, closure, buffer);
	thread->creation = outer;
}
