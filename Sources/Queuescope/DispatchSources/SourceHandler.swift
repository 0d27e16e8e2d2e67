import CTraceRecorder

/// A handler of a source. Each run of the handler is recorded as an item.
struct SourceHandler: Sendable {
    let source: SourceIdentity
    let kind: qs_handler_kind
    let site: CallSite

    /// Runs `work`, and records the run while a session records.
    func run(_ work: () -> Void) {
        guard qs_records_wrapper() else {
            work()
            return
        }
        let queue = source.target
        let item = qs_new_item()
        recordRequest(of: item, on: queue)
        qs_item_begin(queue.hold.pointer, item)
        work()
        qs_item_end(queue.hold.pointer, item)
    }

    // libdispatch does not show when it enqueues a handler, so the enqueue is recorded right before the begin.
    private func recordRequest(of item: UInt64, on queue: QueueIdentity) {
        switch kind {
        case qs_handler_kind_event:
            let data = source.pendingData
            if source.type == qs_source_type_timer { qs_record_timer_fire(source.id, data) }
            qs_record_source_fire(source.id, item, queue.number, site.code, data)
        case qs_handler_kind_cancel:
            qs_record_item_enqueue(item, queue.number, site.code, qs_item_kind_cancel_handler.field, 0)
        default:
            qs_record_item_enqueue(item, queue.number, site.code, qs_item_kind_registration_handler.field, 0)
        }
    }
}
