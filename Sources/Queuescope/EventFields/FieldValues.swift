import CTraceRecorder
import Dispatch

/// A C enumeration that is a field of one byte in the trace.
protocol RecordedKind: RawRepresentable<UInt32> {}

extension RecordedKind {
    /// The value with the width of the field.
    var field: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}

extension qs_item_kind: RecordedKind {}
extension qs_object_kind: RecordedKind {}
extension qs_handler_kind: RecordedKind {}
extension qs_lock_kind: RecordedKind {}
extension qs_source_type: RecordedKind {}

extension DispatchQoS {
    /// The quality-of-service class as stored in the trace.
    var field: UInt8 {
        let value: qs_qos_class =
            switch qosClass {
            case .background: qs_qos_class_background
            case .utility: qs_qos_class_utility
            case .default: qs_qos_class_default
            case .userInitiated: qs_qos_class_user_initiated
            case .userInteractive: qs_qos_class_user_interactive
            case .unspecified: qs_qos_class_unspecified
            @unknown default: qs_qos_class_unspecified
            }
        return UInt8(truncatingIfNeeded: value.rawValue)
    }
}

extension String {
    /// Calls `body` with the UTF-8 bytes, the form in which the event writers take text.
    func withCChars<Result>(_ body: (UnsafeBufferPointer<CChar>) -> Result) -> Result {
        var text = self
        return text.withUTF8 { $0.withMemoryRebound(to: CChar.self, body) }
    }
}
