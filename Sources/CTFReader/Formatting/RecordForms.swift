/// How the lines of an event class are written. It contains no references, so the loop has no reference counting.
struct RecordForm {
    /// The start of the line after the time: the origin of the trace and the name of the class.
    let head: UnsafeBufferPointer<UInt8>
    /// The template; nil for records that only ``FieldPrinter`` can write.
    let template: Unmanaged<RecordTemplate>?
    let clock: ClockClass.Display?
}

/// The line formats of a trace, by index of the event class.
final class RecordForms {
    private let forms: UnsafeMutableBufferPointer<RecordForm>

    init(_ trace: CTFTrace) {
        var parts: [String] = []
        if let value = trace.environment["hostname"]?.stringValue { parts.append(value) }
        if let value = trace.environment["procname"]?.stringValue { parts.append(value) }
        if let value = trace.environment["vpid"]?.integerValue { parts.append("(\(value))") }
        let origin = parts.isEmpty ? "" : parts.joined(separator: ":") + " "
        forms = .allocate(capacity: trace.eventClasses.count)
        for (index, eventClass) in trace.eventClasses.enumerated() {
            let head = Array("\(origin)\(eventClass.name):".utf8)
            let structures = trace.plan.classes[index].structures
            let template = structures.isEmpty ? nil : RecordTemplate(structures)
            (forms.baseAddress! + index).initialize(
                to: RecordForm(
                    head: UnsafeBufferPointer(start: LineBuffer.padded(head), count: head.count),
                    template: template.map { .passRetained($0) },
                    clock: trace.streamClasses[eventClass.streamClassIndex].clock.map { ClockClass.Display($0) }))
        }
    }

    deinit {
        for form in forms {
            form.head.deallocate()
            form.template?.release()
        }
        forms.deallocate()
    }

    /// The address of the format of an event class, valid during the lifetime of this object.
    subscript(index: Int) -> UnsafePointer<RecordForm> {
        @inline(__always) get {
            precondition(forms.indices.contains(index))
            return UnsafePointer(forms.baseAddress! + index)
        }
    }
}
