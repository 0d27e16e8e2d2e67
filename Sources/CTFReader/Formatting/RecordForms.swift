/// How records of a class are written, without references to count.
struct RecordForm {
    /// The name of the class, behind whose data it comes from.
    let head: UnsafeBufferPointer<UInt8>
    /// Nil for records that only ``FieldPrinter`` can write.
    let template: Unmanaged<RecordTemplate>?
    let clock: ClockClass.Display?
}

/// The forms of a trace's records, by position of the event class.
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

    /// Where a form is, as long as this object lives.
    subscript(index: Int) -> UnsafePointer<RecordForm> {
        @inline(__always) get {
            precondition(forms.indices.contains(index))
            return UnsafePointer(forms.baseAddress! + index)
        }
    }
}
