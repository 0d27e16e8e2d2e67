import CTraceRecorder

/// What made an item: the `kind` field of `item_enqueue` and `sync_enter`.
@usableFromInline
struct ItemKind: Sendable {
    @usableFromInline let rawValue: UInt8

    private init(_ kind: qs_item_kind) { rawValue = UInt8(truncatingIfNeeded: kind.rawValue) }

    @usableFromInline static let async = ItemKind(qs_item_kind_async)
    @usableFromInline static let sync = ItemKind(qs_item_kind_sync)
    @usableFromInline static let after = ItemKind(qs_item_kind_after)
    @usableFromInline static let notify = ItemKind(qs_item_kind_notify)
    @usableFromInline static let asyncAndWait = ItemKind(qs_item_kind_async_and_wait)
    @usableFromInline static let perform = ItemKind(qs_item_kind_perform)
    static let sourceHandler = ItemKind(qs_item_kind_source_handler)
    static let cancelHandler = ItemKind(qs_item_kind_cancel_handler)
    static let registrationHandler = ItemKind(qs_item_kind_registration_handler)
}
