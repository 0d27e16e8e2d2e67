// Generated from Sources/TraceSchema by Tools/generate-schema. Do not edit.
#ifndef QS_EVENT_WRITERS_GENERATED_H
#define QS_EVENT_WRITERS_GENERATED_H

#include <stddef.h>
#include <stdint.h>

// One function per event class. Context: any thread. In a signal handler that interrupted a writer of the
// same thread, the event is counted as discarded. Allocates: never. Blocks: never, except functions marked
// "definitions", which take the definitions lock. Does nothing while no session records.

// The libdispatch call that created the item.
enum qs_item_kind {
	qs_item_kind_async = 0,
	qs_item_kind_sync = 1,
	qs_item_kind_after = 2,
	qs_item_kind_source_handler = 3,
	qs_item_kind_notify = 4,
	qs_item_kind_apply = 5,
	qs_item_kind_io = 6,
	qs_item_kind_swift_job = 7,
	qs_item_kind_async_and_wait = 8,
	qs_item_kind_perform = 9,
	qs_item_kind_cancel_handler = 10,
	qs_item_kind_registration_handler = 11,
	qs_item_kind_actor_job = 12,
	qs_item_kind_loop_iteration = 13,
};

// The quality-of-service class, with libdispatch's values.
enum qs_qos_class {
	qs_qos_class_unspecified = 0,
	qs_qos_class_maintenance = 5,
	qs_qos_class_background = 9,
	qs_qos_class_utility = 17,
	qs_qos_class_default = 21,
	qs_qos_class_user_initiated = 25,
	qs_qos_class_user_interactive = 33,
};

// The kind of dispatch object.
enum qs_object_kind {
	qs_object_kind_queue = 0,
	qs_object_kind_source = 1,
	qs_object_kind_workloop = 2,
	qs_object_kind_io = 3,
	qs_object_kind_group = 4,
	qs_object_kind_semaphore = 5,
};

// The type of a dispatch source.
enum qs_source_type {
	qs_source_type_read = 0,
	qs_source_type_write = 1,
	qs_source_type_timer = 2,
	qs_source_type_signal = 3,
	qs_source_type_data_add = 4,
	qs_source_type_data_or = 5,
	qs_source_type_data_replace = 6,
	qs_source_type_process = 7,
	qs_source_type_file_system = 8,
	qs_source_type_memory_pressure = 9,
	qs_source_type_other = 10,
};

// The handler of a source.
enum qs_handler_kind {
	qs_handler_kind_event = 0,
	qs_handler_kind_cancel = 1,
	qs_handler_kind_registration = 2,
};

// The source of the context switches.
enum qs_processor_source {
	qs_processor_source_none = 0,
	qs_processor_source_perf_events = 1,
	qs_processor_source_schedstat = 2,
	qs_processor_source_kernel_trace = 3,
};

// The kind of lock.
enum qs_lock_kind {
	qs_lock_kind_exclusive = 0,
	qs_lock_kind_read_write = 1,
};

// The kind of the file descriptor of a system call.
enum qs_descriptor_kind {
	qs_descriptor_kind_unknown = 0,
	qs_descriptor_kind_regular_file = 1,
	qs_descriptor_kind_directory = 2,
	qs_descriptor_kind_pipe = 3,
	qs_descriptor_kind_fifo = 4,
	qs_descriptor_kind_tcp_socket = 5,
	qs_descriptor_kind_udp_socket = 6,
	qs_descriptor_kind_unix_socket = 7,
	qs_descriptor_kind_socket = 8,
	qs_descriptor_kind_terminal = 9,
	qs_descriptor_kind_eventfd = 10,
	qs_descriptor_kind_timerfd = 11,
	qs_descriptor_kind_signalfd = 12,
	qs_descriptor_kind_inotify = 13,
	qs_descriptor_kind_other = 14,
};

// The cause of a rate at which items are sampled.
enum qs_sampling_cause {
	qs_sampling_cause_started = 0,
	qs_sampling_cause_over_budget = 1,
	qs_sampling_cause_within_budget = 2,
	qs_sampling_cause_stopped = 3,
	qs_sampling_cause_repeated = 4,
};

// How the program created the task.
enum qs_task_kind {
	qs_task_kind_unknown = 0,
	qs_task_kind_unstructured = 1,
	qs_task_kind_detached = 2,
	qs_task_kind_group_child = 3,
	qs_task_kind_async_let = 4,
	qs_task_kind_immediate = 5,
	qs_task_kind_main = 6,
	qs_task_kind_sleep = 7,
	qs_task_kind_discarding_child = 8,
};

// The kind of the awaited object of a suspended task, with the runtime's values.
enum qs_await_kind {
	qs_await_kind_unknown = 0,
	qs_await_kind_task = 1,
	qs_await_kind_continuation = 2,
	qs_await_kind_group = 3,
	qs_await_kind_executor = 4,
};

// The detail with which a trace records tasks and actors.
enum qs_task_detail {
	qs_task_detail_none = 0,
	qs_task_detail_no_awaits = 1,
	qs_task_detail_full = 2,
};

// The kind of executor that runs tasks.
enum qs_executor_kind {
	qs_executor_kind_actor = 0,
	qs_executor_kind_serial_executor = 1,
	qs_executor_kind_main_actor = 2,
};

// The polling function of a loop.
enum qs_loop_kind {
	qs_loop_kind_epoll = 0,
	qs_loop_kind_poll = 1,
	qs_loop_kind_dispatch_manager = 2,
	qs_loop_kind_run_loop = 3,
};

// A queue was created. (definitions)
void qs_record_queue_create(uint64_t queue, const char *label, size_t label_length, uint16_t width, uint8_t qos, uint64_t target, uint8_t flags, uint32_t code, uint32_t stack, uint32_t tid);

// A queue that existed at the start of the session or whose creation was not recorded (statedump). (definitions)
void qs_record_queue_state(uint64_t queue, const char *label, size_t label_length, uint16_t width, uint8_t qos, uint64_t target, uint8_t flags, uint32_t code, uint32_t stack, uint32_t tid);

// The last reference to a queue was released.
void qs_record_queue_dispose(uint64_t queue);

// A queue's target was set before its activation.
void qs_record_queue_set_target(uint64_t queue, uint64_t target, uint32_t code);

// A queue or source was activated. The first resume activates a source.
void qs_record_object_activate(uint64_t object, uint8_t kind, uint32_t code, uint32_t stack);

// A queue or source was suspended.
void qs_record_object_suspend(uint64_t object, uint8_t kind, uint32_t code, uint32_t stack);

// A queue or source was resumed.
void qs_record_object_resume(uint64_t object, uint8_t kind, uint32_t code);

// An item is submitted. Recorded before the call of libdispatch.
void qs_record_item_enqueue(uint64_t item, uint64_t queue, uint32_t code, uint8_t kind, uint8_t qos);

// The item enqueued just before is not due yet (asyncAfter).
void qs_record_item_delay(uint64_t item, uint64_t delay);

// The item's code starts on this thread.
void qs_record_item_begin(uint64_t item, uint64_t queue);

// The item's code returned.
void qs_record_item_end(uint64_t item);

// The item was cancelled before it began.
void qs_record_item_cancel(uint64_t item);

// The item enqueued just before is a barrier of its concurrent queue.
void qs_record_item_barrier(uint64_t item);

// libdispatch calls the code of an enqueued item on this thread: a short form of item_begin.
void qs_record_callout_begin(uint64_t item);

// The innermost code started by a callout_begin or sync_begin on this thread returned.
void qs_record_callout_end(void);

// This thread waits for a work item to complete.
void qs_record_item_wait_begin(uint64_t item, uint32_t code);

// The wait for the work item ended.
void qs_record_item_wait_end(uint64_t item, uint8_t timed_out);

// This thread calls sync or asyncAndWait. Recorded before the call of libdispatch.
void qs_record_sync_enter(uint64_t item, uint64_t queue, uint32_t code, uint8_t kind, uint8_t qos);

// A queue of the hierarchy is held, so this sync must wait.
void qs_record_sync_block(uint64_t item, uint64_t queue, uint32_t holder_tid);

// A sync that had to wait acquired the queue. Recorded before its item begins.
void qs_record_sync_handoff(uint64_t item, uint64_t queue, uint32_t from_tid);

// The call returned to its caller.
void qs_record_sync_return(uint64_t item);

// The item of a sync on a free queue starts on the thread of its caller. callout_end ends it.
void qs_record_sync_begin(uint64_t queue, uint32_t code, uint8_t barrier);

// The sync of this thread blocks, because its queue is held. Replaces sync_enter and sync_block.
void qs_record_sync_wait(uint64_t item, uint64_t queue, uint32_t code, uint8_t kind, uint8_t qos, uint64_t level, uint32_t holder_tid);

// This thread calls concurrentPerform.
void qs_record_apply_begin(uint64_t apply, uint64_t queue, uint32_t code, uint64_t iterations);

// One iteration starts on this thread.
void qs_record_apply_iteration_begin(uint64_t apply, uint64_t iteration);

// The iteration ended.
void qs_record_apply_iteration_end(uint64_t apply);

// concurrentPerform returned.
void qs_record_apply_end(uint64_t apply, uint32_t threads);

// A source was created. (definitions)
void qs_record_source_create(uint64_t source, uint8_t type, uint64_t handle, uint64_t queue, uint32_t code, uint32_t stack, uint32_t tid, uint8_t flags);

// A handler was set before the source's activation.
void qs_record_source_set_handler(uint64_t source, uint8_t handler, uint32_t code, uint8_t qos, uint8_t removed);

// The source's handler is about to run as the given item.
void qs_record_source_fire(uint64_t source, uint64_t item, uint64_t queue, uint32_t code, uint64_t data);

// A timer source was scheduled.
void qs_record_timer_configure(uint64_t source, uint64_t delay, uint64_t interval, uint64_t leeway, uint32_t code);

// A timer's handler is about to run.
void qs_record_timer_fire(uint64_t source, uint64_t fires);

// The source was cancelled.
void qs_record_source_cancel(uint64_t source, uint32_t code);

// The last reference to a source was released.
void qs_record_source_dispose(uint64_t source);

// A source's target queue was set before its activation.
void qs_record_source_set_target(uint64_t source, uint64_t target, uint32_t code);

// The program merges data into a user-data source. Recorded before the call of libdispatch.
void qs_record_source_merge(uint64_t source, uint64_t data, uint32_t code);

// A handler of an activated source is about to be replaced. Written to the trace before the call.
void qs_record_mutation_after_activation(uint64_t object, uint8_t kind, uint8_t handler, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack);

// An active object is about to be retargeted; for most queues libdispatch aborts. Written before the call.
void qs_record_retarget_after_activation(uint64_t object, uint8_t kind, uint64_t from, uint64_t to, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack);

// An active queue with a changeable target is about to be retargeted, although other objects target it. Written before the call.
void qs_record_non_leaf_retarget(uint64_t object, uint8_t kind, uint64_t from, uint64_t to, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack);

// An object that is not suspended is about to be resumed; libdispatch aborts. Written before the call.
void qs_record_over_resume(uint64_t object, uint8_t kind, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack);

// A suspended or inactive object is about to be released; libdispatch aborts. Written before the call.
void qs_record_release_while_suspended(uint64_t object, uint8_t kind, uint8_t inactive, uint32_t code, uint32_t stack, uint32_t activation_code, uint32_t activation_stack);

// A group was created.
void qs_record_group_create(uint64_t group, uint32_t code);

// A group was entered, or an item was submitted in it.
void qs_record_group_enter(uint64_t group);

// A group was left, or an item in the group ended.
void qs_record_group_leave(uint64_t group);

// This thread waits for the group.
void qs_record_group_wait_begin(uint64_t group, uint32_t code);

// The wait for the group ended.
void qs_record_group_wait_end(uint64_t group, uint8_t timed_out);

// An item will be enqueued when the group becomes empty.
void qs_record_group_notify(uint64_t group, uint64_t item, uint64_t queue, uint32_t code);

// A counting semaphore was created.
void qs_record_semaphore_create(uint64_t semaphore, int64_t value, uint32_t code);

// This thread waits on the semaphore.
void qs_record_semaphore_wait_begin(uint64_t semaphore, uint32_t code);

// The wait ended.
void qs_record_semaphore_wait_end(uint64_t semaphore, uint8_t timed_out);

// The semaphore is about to be signalled.
void qs_record_semaphore_signal(uint64_t semaphore, uint32_t code);

// A lock was created. (definitions)
void qs_record_lock_create(uint64_t lock, const char *label, size_t label_length, uint8_t fair, uint32_t code, uint32_t tid, uint8_t kind);

// The lock is held by another thread, so this thread waits.
void qs_record_lock_wait(uint64_t lock, uint32_t code, uint32_t holder_tid);

// This thread acquired the lock.
void qs_record_lock_acquire(uint64_t lock, uint32_t code);

// This thread is about to release the lock.
void qs_record_lock_release(uint64_t lock);

// The first record of a thread, or its new name. (definitions)
void qs_record_thread_start(uint32_t tid, const char *name, size_t name_length, uint32_t maker, uint64_t age);

// This thread ends.
void qs_record_thread_exit(uint32_t tid);

// libdispatch requests worker threads.
void qs_record_worker_request(uint64_t root, uint32_t count);

// This worker thread wakes to look for work.
void qs_record_worker_unpark(uint64_t root);

// This worker thread found no work and parks.
void qs_record_worker_park(uint64_t root);

// A thread was switched off its processor.
void qs_record_switch_out(uint32_t tid, uint8_t preempted, uint16_t processor);

// A thread was switched onto a processor.
void qs_record_switch_in(uint32_t tid, uint16_t processor);

// libdispatch creates a worker thread.
void qs_record_worker_create(uint64_t root);

// This worker thread starts.
void qs_record_worker_start(uint64_t root);

// This worker thread ends.
void qs_record_worker_exit(uint64_t root);

// A signposter was created. (definitions)
void qs_record_signpost_log(uint32_t log, const char *subsystem, size_t subsystem_length, const char *category, size_t category_length);

// An interval begins.
void qs_record_signpost_begin(uint64_t signpost, uint32_t log, uint32_t code, const char *message, size_t message_length);

// An interval ends.
void qs_record_signpost_end(uint64_t signpost, uint32_t log, uint32_t code, const char *message, size_t message_length);

// A point of interest.
void qs_record_signpost_event(uint64_t signpost, uint32_t log, uint32_t code, const char *message, size_t message_length);

// Defines a piece of code to which other events refer. (definitions)
void qs_record_code_symbol(uint32_t code, uint64_t address, const char *symbol, size_t symbol_length, const char *file, size_t file_length, uint32_t line, uint64_t thunk);

// An executable or library that is mapped in the process. (definitions)
void qs_record_image(uint64_t base, uint64_t begin, uint64_t end, const char *build_id, size_t build_id_length, const char *path, size_t path_length);

// Defines a call stack to which other events refer. (definitions)
void qs_record_stack(uint32_t stack, const uint64_t *frames, uint16_t frames_count);

// Describes a process that records with LTTng, because LTTng's metadata do not (statedump). (definitions)
void qs_record_process_state(uint32_t pid, const char *name, size_t name_length, uint8_t schema_major, uint8_t schema_minor, uint16_t processors, uint16_t processors_online, uint32_t processor_quota_milli);

// A call stack that leads to this code: of its first sync, or of every wait for a mutex. (definitions)
void qs_record_code_stack(uint32_t code, uint32_t stack);

// The values of the trace's clock and of the system's clocks at the same instant. (definitions)
void qs_record_clock_sync(uint64_t ticks, uint64_t monotonic, uint64_t realtime, uint64_t boottime, int64_t strayed);

// The program stops recording and continues. Open waits and items may end after the trace. (definitions)
void qs_record_recording_stop(void);

// From now on the recorder records one of several items, so that its cost stays within a budget. It samples items of async and asyncAfter, syncs on a free queue, and tasks with their jobs: see item_sampling.h. (definitions)
void qs_record_sampling_rate(uint32_t one_of, uint8_t cause, uint32_t budget, uint32_t cost);

// A message of libdispatch itself. (definitions)
void qs_record_dispatch_log(uint32_t tid, const char *message, size_t message_length);

// The source of the context switches in this trace. (definitions)
void qs_record_processor_track(uint8_t origin, const char *detail, size_t detail_length);

// The kernel's totals for a thread since its start. The last record of a thread has its total.
void qs_record_thread_times(uint32_t tid, uint64_t on_cpu, uint64_t run_delay, uint64_t slices);

// The kernel's buffer overflowed, so context switches are missing before this event.
void qs_record_switches_lost(uint64_t switches, uint32_t tid);

// The recorder stops recording a thread's context switches, because they cost too much.
void qs_record_switches_pause_begin(uint32_t tid);

// The recorder records the thread's context switches again. Its current state is unknown.
void qs_record_switches_pause_end(uint32_t tid);

// The place where a thread blocks that has been off-CPU for milliseconds since its last switch_out.
void qs_record_blocked_call(uint32_t tid, const char *call, size_t call_length, uint32_t stack, uint8_t descriptor);

// A task was created. Recorded before the task is enqueued.
void qs_record_task_create(uint64_t task, uint8_t kind, uint8_t qos, uint64_t parent, uint64_t group, uint32_t code);

// The program's name for the task created immediately before.
void qs_record_task_name(uint64_t task, const char *name, size_t name_length);

// A task becomes ready to run: it is new, changes its executor, or this thread ended its wait.
void qs_record_task_enqueue(uint64_t task, uint64_t executor, uint32_t code);

// The task starts or resumes on this thread.
void qs_record_task_begin(uint64_t task, uint64_t executor);

// The task of this thread switches to a free executor and keeps the thread.
void qs_record_task_switch(uint64_t executor, uint32_t code);

// The task of this thread is suspended and leaves the thread.
void qs_record_task_suspend(uint64_t task, uint8_t wait, uint64_t object, uint32_t code, uint32_t stack);

// The task finished on this thread.
void qs_record_task_finish(uint64_t task);

// Code on this thread cancels the task.
void qs_record_task_cancel(uint64_t task);

// Code on this thread raises the priority of the task.
void qs_record_task_escalate(uint64_t task, uint8_t qos);

// The detail with which this trace records tasks and actors. (definitions)
void qs_record_task_track(uint8_t task_detail, const char *reason, size_t reason_length, uint8_t collects);

// An actor was created.
void qs_record_actor_create(uint64_t executor, uint32_t actor_type);

// An actor or executor whose creation was not recorded, at its first use; in flight mode also each new actor. (definitions)
void qs_record_executor_state(uint64_t executor, uint32_t actor_type, uint8_t kind);

// The actor is about to be destroyed.
void qs_record_actor_destroy(uint64_t executor);

// The task of this thread takes a finished child from its task group and continues without a suspension.
void qs_record_task_collect(uint64_t child, uint64_t group);

// A thread runs an event loop. (definitions)
void qs_record_loop_state(uint64_t loop, uint8_t kind, uint32_t tid, uint64_t shares, const char *name, size_t name_length);

// This thread is about to poll: an iteration of its loop ends.
void qs_record_loop_poll_begin(uint64_t loop);

// Polling returned: an iteration of the loop begins.
void qs_record_loop_poll_end(uint64_t loop, uint32_t ready);

// This thread wakes the loop, which may be polling.
void qs_record_loop_wake(uint64_t loop);

// A timer is added to a run loop that does not run.
void qs_record_run_loop_timer(uint64_t run_loop, uint64_t timer, uint64_t due, uint32_t code, uint32_t stack);

// A timer of a run loop is invalidated.
void qs_record_run_loop_timer_end(uint64_t timer);

// This thread is about to run its run loop.
void qs_record_run_loop_run(uint64_t run_loop);

#endif
