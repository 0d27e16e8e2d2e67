// dispatch_block_create and the operations on the blocks that it creates.
//
// libdispatch stores the given block in the private data of the created block. The hook passes a wrapper, and later
// finds the wrapper by reading that word. The word's offset is determined from the first created block.
#include "callers.h"
#include "work_items.h"

#include "notifications.h"
#include "recording_items.h"
#include "sources.h"
#include "submissions.h"
#include "wrapper_blocks.h"

// From dispatch/block.h.
enum { DISPATCH_BLOCK_BARRIER = 1 };

struct qs_work_item {
	struct qs_submissions submissions;
	struct qs_notifications notifications;
	uint64_t last;       // id of the item submitted last
	void *source;        // the source whose handler it is, or NULL
	uint8_t handler;
	uint8_t qos;
	bool is_barrier;
	bool is_cancelled;
};

// The wrapper of a work item.
struct work_item_block {
	struct qs_wrapper_block wrapper;
	struct work_item_block **copied_to; // only on the stack: receives the address of the copy
	struct qs_work_item work;
};

// Offset of the inner block in a block with private data; 0 when it is not known.
static uint32_t inner_offset;

// MARK: Running

// The run of a sync. On another thread than the caller's, `call` is used only as a number: if the run belongs to
// another submission, the call may be gone.
static QS_RUNNER void run_sync(uint64_t item, const void *queue, struct qs_block *inner)
{
	struct qs_sync_call *call = qs_hook_thread.entering;
	bool is_own = (uint64_t)(uintptr_t)call == item;
	if (is_own) {
		qs_sync_call_begin(call);
	} else {
		qs_record_item_begin(item, qs_queue_number(queue));
	}
	inner->invoke(inner);
	qs_record_item_end(item);
}

// Records the begin of a run that does not belong to a sync.
static void begin_run(struct work_item_block *self, uint64_t state, const void *queue)
{
	struct qs_work_item *work = &self->work;
	uint64_t item = state & QS_SUBMISSION_ITEM;
	if (state == 0) {
		// Pairs with the store in qs_work_item_attach.
		void *source = __atomic_load_n(&work->source, __ATOMIC_ACQUIRE);
		if (source != NULL) {
			qs_source_callout_begin(source, work->handler, qs_work_item_code(work));
			return;
		}
		// The block was called as a function, as DispatchWorkItem.perform() does.
		item = qs_new_item();
		qs_record_item_enqueue(item, 0, qs_work_item_code(work), qs_item_kind_perform, work->qos);
	} else if ((state & QS_SUBMISSION_CANCELLED) != 0) {
		// The run began while another thread cancelled the item and recorded the cancellation: use a new item.
		item = qs_new_item();
		qs_record_submission(item, queue, qs_work_item_code(work), qs_item_kind_async, work->qos, work->is_barrier);
	} else if ((state & QS_SUBMISSION_NOTIFICATION) != 0) {
		qs_notification_record_submission((struct qs_notification *)(uintptr_t)item);
	}
	qs_record_callout_begin(item);
}

static void drop(uint64_t state)
{
	if ((state & QS_SUBMISSION_NOTIFICATION) == 0) return;
	qs_notification_release((struct qs_notification *)(uintptr_t)(state & QS_SUBMISSION_ITEM));
}

static QS_RUNNER void run(void *block)
{
	struct work_item_block *self = block;
	qs_tsan_acquire(self);
	struct qs_block *inner = self->wrapper.inner;
	struct qs_work_item *work = &self->work;
	const void *queue = qs_helpers.get_current_queue();
	uint64_t state = qs_submissions_take(&work->submissions, queue, qs_hook_thread.entering);
	if ((state & QS_SUBMISSION_SYNC) != 0) {
		run_sync(state & QS_SUBMISSION_ITEM, queue, inner);
	} else if (qs_unlikely((state & QS_SUBMISSION_SKIPPED) != 0
			|| (state == 0 && qs_submissions_take_unrecorded(&work->submissions)))) {
		inner->invoke(inner);
	} else {
		begin_run(self, state, queue);
		inner->invoke(inner);
		qs_record_callout_end();
		drop(state);
	}
	qs_notifications_submit(&work->notifications);
}

// MARK: Creation

static void copy_block(void *to, const void *from)
{
	const struct work_item_block *original_block = from;
	qs_wrapper_copy(to, from);
	if (original_block->copied_to != NULL) *original_block->copied_to = to;
	((struct work_item_block *)to)->copied_to = NULL;
}

static void dispose_block(const void *block)
{
	struct work_item_block *self = (struct work_item_block *)block;
	qs_submissions_destroy(&self->work.submissions, drop);
	qs_notifications_destroy(&self->work.notifications);
	qs_wrapper_dispose(block);
}

static const struct qs_block_descriptor descriptor = {
	.size = sizeof(struct work_item_block), .copy = copy_block, .dispose = dispose_block};

static struct work_item_block wrap(void *block, unsigned long flags, unsigned int qos)
{
	return (struct work_item_block){
		.wrapper = qs_wrapper(run, &descriptor, block),
		.work = {.qos = (uint8_t)qos, .is_barrier = (flags & DISPATCH_BLOCK_BARRIER) != 0},
	};
}

// Searches for the wrapper in the created block, once. Threads that search at the same time find the same offset.
static void find_inner_offset(const void *made, const void *wrapper)
{
	const struct qs_block *block = made;
	size_t end = block->descriptor->size - sizeof(void *);
	for (uint32_t offset = sizeof *block; offset <= end; offset += sizeof(void *)) {
		const void *word;
		memcpy(&word, (const char *)made + offset, sizeof word);
		if (word != wrapper) continue;
		__atomic_store_n(&inner_offset, offset, __ATOMIC_RELAXED);
		return;
	}
}

#define WORK_ITEM_MAKER(name, parameters, qos, arguments_before_block) \
	QS_HOOK(void *, name, parameters) \
	{ \
		if (!qs_hook_records() || block == NULL) return original(name)(QS_EXPAND arguments_before_block, block); \
		struct work_item_block *copy = NULL; \
		struct work_item_block wrapper = wrap(block, flags, qos); \
		wrapper.copied_to = &copy; \
		void *made = original(name)(QS_EXPAND arguments_before_block, &wrapper); \
		if (qs_unlikely(__atomic_load_n(&inner_offset, __ATOMIC_RELAXED) == 0) && made != NULL && copy != NULL) { \
			find_inner_offset(made, copy); \
		} \
		return made; \
	}
#define QS_EXPAND(...) __VA_ARGS__

WORK_ITEM_MAKER(dispatch_block_create, (unsigned long flags, void *block), 0, (flags))
WORK_ITEM_MAKER(dispatch_block_create_with_qos_class,
	(unsigned long flags, unsigned int qos, int relative_priority, void *block), qos, (flags, qos, relative_priority))
WORK_ITEM_MAKER(dispatch_block_create_with_voucher,
	(unsigned long flags, void *voucher, void *block), 0, (flags, voucher))
WORK_ITEM_MAKER(dispatch_block_create_with_voucher_and_qos_class,
	(unsigned long flags, void *voucher, unsigned int qos, int relative_priority, void *block), qos,
	(flags, voucher, qos, relative_priority))

struct qs_work_item *qs_work_item_of(const void *block)
{
	uint32_t offset = __atomic_load_n(&inner_offset, __ATOMIC_RELAXED);
	if (offset == 0) return NULL;
	struct work_item_block *inner;
	memcpy(&inner, (const char *)block + offset, sizeof inner);
	return inner != NULL && inner->wrapper.block.invoke == run ? &inner->work : NULL;
}

// MARK: Submissions

static uint64_t submit(struct qs_work_item *work, const void *queue, uint64_t item, uint64_t flags)
{
	if (!qs_submissions_add(&work->submissions, item | flags, queue)) return 0;
	__atomic_store_n(&work->last, item, __ATOMIC_RELAXED);
	return item;
}

uint64_t qs_work_item_submit(struct qs_work_item *work, const void *queue, struct qs_sync_call *call)
{
	if (call != NULL) return submit(work, queue, (uint64_t)(uintptr_t)call, QS_SUBMISSION_SYNC);
	return submit(work, queue, qs_new_item(), 0);
}

uint64_t qs_work_item_submit_skipped(struct qs_work_item *work, const void *queue)
{
	return submit(work, queue, qs_new_item(), QS_SUBMISSION_SKIPPED);
}

static void record_cancel(uint64_t state)
{
	uint64_t item = state & QS_SUBMISSION_ITEM;
	if ((state & QS_SUBMISSION_SKIPPED) != 0) return;
	if ((state & QS_SUBMISSION_NOTIFICATION) != 0) {
		qs_notification_record_cancel((struct qs_notification *)(uintptr_t)item);
	} else {
		qs_record_item_cancel(item);
	}
}

// Publishes first and then checks for a cancellation; the cancellation sets its flag first and then searches for
// submissions. One of the two therefore sees the other.
void qs_work_item_submitted(struct qs_work_item *work, uint64_t item)
{
	qs_submissions_publish(&work->submissions, item);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	bool is_cancelled = __atomic_load_n(&work->is_cancelled, __ATOMIC_RELAXED);
	if (qs_unlikely(is_cancelled)) qs_submissions_cancel(&work->submissions, record_cancel);
}

void qs_work_item_withdraw(struct qs_work_item *work, uint64_t item)
{
	uint64_t state = qs_submissions_remove(&work->submissions, item);
	// libdispatch skipped it, so it was cancelled before the submission.
	if (state != 0 && (state & QS_SUBMISSION_CANCELLED) == 0) qs_record_item_cancel(item);
}

void qs_work_item_attach(struct qs_work_item *work, void *source, uint8_t handler)
{
	work->handler = handler;
	__atomic_store_n(&work->source, source, __ATOMIC_RELEASE);
}

uint32_t qs_work_item_code(const struct qs_work_item *work)
{
	const char *block = (const char *)work - offsetof(struct work_item_block, work);
	return qs_block_code(((const struct work_item_block *)block)->wrapper.inner);
}

uint8_t qs_work_item_qos(const struct qs_work_item *work)
{
	return work->qos;
}

bool qs_work_item_is_barrier(const struct qs_work_item *work)
{
	return work->is_barrier;
}

// MARK: Other calls

// libdispatch runs the block before the call returns and never copies it.
QS_HOOK(void, dispatch_block_perform, (unsigned long flags, void *block))
{
	if (!qs_hook_records() || block == NULL || qs_block_has_private_data(block)) {
		original(dispatch_block_perform)(flags, block);
		return;
	}
	struct work_item_block wrapper = wrap(block, 0, 0);
	original(dispatch_block_perform)(flags, &wrapper);
}

// The work item of an argument that must have private data. libdispatch ends the process when it has none.
static struct qs_work_item *work_item_argument(const void *block)
{
	return block != NULL && qs_block_has_private_data(block) ? qs_work_item_of(block) : NULL;
}

QS_HOOK(intptr_t, dispatch_block_wait, (void *block, uint64_t timeout))
{
	struct qs_work_item *work = qs_hook_records() ? work_item_argument(block) : NULL;
	if (work == NULL) return original(dispatch_block_wait)(block, timeout);
	uint64_t item = __atomic_load_n(&work->last, __ATOMIC_RELAXED);
	qs_record_item_wait_begin(item, qs_program_caller_code());
	intptr_t result = original(dispatch_block_wait)(block, timeout);
	qs_record_item_wait_end(item, result != 0);
	return result;
}

// Recorded after the call: an item that has not begun by then will not begin, except for a run that passed
// libdispatch's own check immediately before.
QS_HOOK(void, dispatch_block_cancel, (void *block))
{
	struct qs_work_item *work = qs_hook_records() ? work_item_argument(block) : NULL;
	original(dispatch_block_cancel)(block);
	if (work == NULL) return;
	__atomic_store_n(&work->is_cancelled, true, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	qs_submissions_cancel(&work->submissions, record_cancel);
}

// MARK: Notifications

bool qs_work_item_submit_notification(
	struct qs_work_item *work, const void *queue, struct qs_notification *notification)
{
	notification->code = qs_work_item_code(work);
	notification->qos = work->qos;
	notification->is_barrier = work->is_barrier;
	uint64_t item = (uint64_t)(uintptr_t)notification;
	if (!qs_submissions_add(&work->submissions, item | QS_SUBMISSION_NOTIFICATION, queue)) return false;
	__atomic_store_n(&work->last, item, __ATOMIC_RELAXED);
	qs_work_item_submitted(work, item);
	return true;
}

void qs_work_item_add_notification(struct qs_work_item *work, struct qs_notification *notification)
{
	qs_notifications_add(&work->notifications, notification);
}
