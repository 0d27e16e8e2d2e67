import CTraceRecorder
import Dispatch

// The C enumerations are fields of one or two bytes in the trace; these are their values in the width the writers take.

extension qs_item_kind {
    var field: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}

extension qs_object_kind {
    var field: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}

extension qs_handler_kind {
    var field: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}

extension qs_source_type {
    var field: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}

extension DispatchQoS {
    /// The quality-of-service class as the trace has it.
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
