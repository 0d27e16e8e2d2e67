import CTFReader
import TraceSchema

extension WindowRole {
    /// How a window of a trace uses the events of a class.
    ///
    /// - Parameters:
    ///   - event: the class.
    ///   - item: the position of the field `item` in its records; -1 for none.
    init(_ event: EventClass, item: Int) {
        switch event.name {
        case "item_begin", "callout_begin": self.init(.opening, item: item)
        case "item_enqueue", "group_notify", "source_fire": self.init(.passing, item: item, submits: true)
        // The call lasts until sync_return. Another thread can run the item.
        case "sync_enter", "sync_wait": self.init(.opening, item: item, submits: true)
        case "item_delay", "item_barrier": self.init(.passing, item: item, describesItem: true)
        default: self.init(RecordRole(event))
        }
    }
}

extension RecordRole {
    /// How a window of a trace uses the events of a class outside of the window.
    ///
    /// The state of objects is followed from the begin of the trace, because these events are rare. For items, waits
    /// and workers, only open operations are needed. Tasks are followed from their first event in the run-up of the
    /// window. The events that count enters and signals of groups and semaphores are as frequent as items, so their
    /// counts before the run-up are unknown.
    fileprivate init(_ event: EventClass) {
        switch event.name {
        case "code_symbol", "image", "stack", "code_stack", "signpost_log": self = .name
        case "queue_create", "queue_state", "queue_dispose", "queue_set_target", "object_activate", "object_suspend",
            "object_resume", "source_create", "source_set_handler", "timer_configure", "source_cancel",
            "source_dispose", "source_set_target", "mutation_after_activation", "retarget_after_activation",
            "non_leaf_retarget", "over_resume", "release_while_suspended", "lock_create", "thread_start",
            "thread_exit", "process_state", "processor_track", "switches_pause_begin", "switches_pause_end",
            "task_track", "actor_create", "executor_state", "actor_destroy", "loop_state":
            self = .state
        case "sync_begin": self = .opening
        case "item_end", "callout_end", "sync_return": self = .closing
        case "worker_start", "worker_park", "worker_unpark", "worker_exit": self = .latest
        case "item_wait_begin", "group_wait_begin", "semaphore_wait_begin", "sync_block", "lock_wait": self = .waiting
        default: self = .passing
        }
    }
}
