// Handlers of sources: setting them, and each of their runs.
//
// A block is wrapped, and a function is called by a wrapper block. Blocks with private data record their runs
// themselves.
//
// No hook sees when libdispatch submits a handler, so its item is recorded as submitted when it begins.
#include "callers.h"
#include "recording_items.h"
#include "sources.h"
#include "tasks.h"
#include "text_map.h"
#include "wrapper_blocks.h"

struct handler_block {
	struct qs_wrapper_block wrapper;
	void *source;
	qs_function_t work;   // used when there is no inner block
	void *context;        // for an event handler that is a function
	bool has_context;
	uint8_t handler;      // enum qs_handler_kind
	bool is_timer;
};

static void begin(void *source, uint8_t handler, bool is_timer, uint32_t code)
{
	uint64_t item = qs_new_item();
	uint64_t queue = qs_queue_number(qs_helpers.get_current_queue());
	if (handler == qs_handler_kind_event) {
		uint64_t data = qs_helpers.source_get_data(source);
		if (is_timer) qs_record_timer_fire((uint64_t)(uintptr_t)source, data);
		qs_record_source_fire((uint64_t)(uintptr_t)source, item, queue, code, data);
	} else {
		bool is_cancel = handler == qs_handler_kind_cancel;
		uint8_t kind = is_cancel ? qs_item_kind_cancel_handler : qs_item_kind_registration_handler;
		qs_record_item_enqueue(item, queue, code, kind, 0);
	}
	qs_record_callout_begin(item);
}

void qs_source_callout_begin(void *source, uint8_t handler, uint32_t code)
{
	struct qs_object_info info;
	bool is_known = qs_object_find(source, &info);
	if (is_known || handler != qs_handler_kind_event) {
		begin(source, handler, is_known && info.source_type == qs_source_type_timer, code);
		return;
	}
	uint64_t item = qs_new_item();
	qs_record_item_enqueue(item, 0, code, qs_item_kind_perform, 0);
	qs_record_callout_begin(item);
}

// The context that libdispatch passes to a handler function. An event handler gets the source's context at its
// activation, other handlers get the current context. The runs of one source exclude each other.
//
// Without an entry in the registry the current context is returned: the source was released before its first event, or
// the session ended before the activation or the first event. Only a program that changes the context after the
// activation and before the first event gets another result.
static void *context_for(struct handler_block *self)
{
	if (self->handler != qs_handler_kind_event) return qs_helpers.get_context(self->source);
	if (!self->has_context) {
		struct qs_object_info info;
		bool is_noted = qs_object_find(self->source, &info) && info.is_activated;
		self->context = is_noted ? info.context : qs_helpers.get_context(self->source);
		self->has_context = true;
	}
	return self->context;
}

static QS_RUNNER void call(struct handler_block *self)
{
	struct qs_block *inner = self->wrapper.inner;
	if (inner != NULL) {
		inner->invoke(inner);
	} else {
		self->work(context_for(self));
	}
}

static QS_RUNNER void run(void *block)
{
	struct handler_block *self = block;
	qs_tsan_acquire(self);
	if (!qs_is_recording()) {
		call(self);
		return;
	}
	qs_source_encounter(self->source);
	const void *inner = self->wrapper.inner;
	uint32_t code = inner != NULL ? qs_block_code(inner) : qs_code_of(0, (uintptr_t)self->work);
	begin(self->source, self->handler, self->is_timer, code);
	call(self);
	qs_record_callout_end();
}

static const struct qs_block_descriptor descriptor = {
	.size = sizeof(struct handler_block), .copy = qs_wrapper_copy, .dispose = qs_wrapper_dispose};

static struct handler_block wrap(
	void *source, const struct qs_object_info *info, void *block, qs_function_t work, uint8_t handler)
{
	return (struct handler_block){
		.wrapper = qs_wrapper(run, &descriptor, block),
		.source = source,
		.work = work,
		.handler = handler,
		.is_timer = info != NULL && info->source_type == qs_source_type_timer,
	};
}

// Records that a handler is about to be set; when the source is active, records a misuse. Called before the original,
// so that the event is in the trace if the process ends.
static inline __attribute__((always_inline)) void record_setting(
	void *source, const struct qs_object_info *info, uint8_t handler, struct qs_call_site *site, uint8_t qos,
	bool is_removed)
{
	uint32_t code = site->code;
	uint64_t id = (uint64_t)(uintptr_t)source;
	// After the cancellation a new handler is harmless, and libdispatch ignores it. No event is lost by mistake if a
	// handler is removed.
	if (info == NULL || !info->is_activated || is_removed || qs_helpers.source_testcancel(source) != 0) {
		qs_record_source_set_handler(id, handler, code, qos, is_removed);
		return;
	}
	qs_record_mutation_after_activation(id, qs_object_kind_source, handler, code, qs_call_site_stack(site),
		qs_object_activation_code(info), qs_object_activation_stack(info));
}

// Whether an event handler function gets the source's context at its activation. A handler that is set later gets the
// context at the moment when it replaces the former handler, on any thread. No hook sees that moment, so such a handler
// is not wrapped, and its runs are not recorded.
static bool takes_context_at_activation(const struct qs_object_info *info)
{
	return info != NULL && !info->is_activated;
}

// Records the task of a sleep with a tolerance, which the runtime of Swift Concurrency resumes in the handler of a
// timer. The context of this timer is the source and the job.
static void record_sleep(void *source, qs_function_t work)
{
	if (qs_text_owner((uintptr_t)work) != QS_TEXT_SWIFT_CONCURRENCY) return;
	void *const *context = qs_helpers.get_context(source);
	if (context != NULL && context[0] == source) qs_task_delayed(context[1]);
}

static uint8_t asked_qos(const void *block)
{
	const struct qs_work_item *work = block != NULL && qs_block_has_private_data(block) ? qs_work_item_of(block) : NULL;
	return work != NULL ? qs_work_item_qos(work) : 0;
}

// Copies the source's entry as it was before the change.
static bool find(void *source, uint8_t handler, bool has_handler, struct qs_object_info *copy)
{
	bool is_known = qs_object_encounter(source, copy);
	if (is_known && handler == qs_handler_kind_event) qs_object_note_event_handler(source, has_handler);
	return is_known;
}

// A handler that is set while no session records is not wrapped, and later sessions do not record its runs.
#define HANDLER_HOOKS(name, handler) \
	QS_HOOK(void, name, (void *source, void *block)) \
	{ \
		if (!qs_hook_records() || source == NULL) { \
			original(name)(source, block); \
			return; \
		} \
		struct qs_object_info found; \
		const struct qs_object_info *info = find(source, handler, block != NULL, &found) ? &found : NULL; \
		record_setting(source, info, handler, qs_this_call_site(), asked_qos(block), block == NULL); \
		bool is_work_item = block != NULL && qs_block_has_private_data(block); \
		if (block == NULL || is_work_item) { \
			struct qs_work_item *work = is_work_item ? qs_work_item_of(block) : NULL; \
			if (work != NULL) qs_work_item_attach(work, source, handler); \
			original(name)(source, block); \
			return; \
		} \
		struct handler_block wrapper = wrap(source, info, block, NULL, handler); \
		original(name)(source, &wrapper); \
	} \
	\
	QS_HOOK(void, name##_f, (void *source, qs_function_t work)) \
	{ \
		if (!qs_hook_records() || source == NULL) { \
			original(name##_f)(source, work); \
			return; \
		} \
		struct qs_object_info found; \
		const struct qs_object_info *info = find(source, handler, work != NULL, &found) ? &found : NULL; \
		record_setting(source, info, handler, qs_this_call_site(), 0, work == NULL); \
		if ((handler) == qs_handler_kind_event) record_sleep(source, work); \
		if (work == NULL || ((handler) == qs_handler_kind_event && !takes_context_at_activation(info))) { \
			original(name##_f)(source, work); \
			return; \
		} \
		struct handler_block wrapper = wrap(source, info, NULL, work, handler); \
		original(name)(source, &wrapper); \
	}

HANDLER_HOOKS(dispatch_source_set_event_handler, qs_handler_kind_event)
HANDLER_HOOKS(dispatch_source_set_cancel_handler, qs_handler_kind_cancel)
HANDLER_HOOKS(dispatch_source_set_mandatory_cancel_handler, qs_handler_kind_cancel)
HANDLER_HOOKS(dispatch_source_set_registration_handler, qs_handler_kind_registration)
