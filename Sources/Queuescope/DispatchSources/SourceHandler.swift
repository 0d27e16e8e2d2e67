import CTraceRecorder

/// One handler of a source: records each of its runs as an item.
struct SourceHandler: Sendable {
    let source: SourceIdentity
    let kind: qs_handler_kind
    let site: CallSite

    /// Runs `work`, recorded when a session records.
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

    // Nobody sees when libdispatch enqueues a handler, so the item is enqueued and begins at once.
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
