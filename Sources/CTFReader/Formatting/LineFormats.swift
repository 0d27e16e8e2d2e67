/// How the lines of an event class are written. It contains no references, so the loop has no reference counting.
struct LineFormat {
    /// The start of the line after the time: the origin of the trace and the name of the class.
    let head: UnsafeBufferPointer<UInt8>
    /// The template; nil for records that only ``FieldPrinter`` can write.
    let template: Unmanaged<LineTemplate>?
    let clock: ClockClass.Display?
}

/// The line formats of a trace, by index of the event class.
final class LineFormats {
    private let formats: UnsafeMutableBufferPointer<LineFormat>

    init(_ trace: CTFTrace) {
        var parts: [String] = []
        if let value = trace.environment["hostname"]?.stringValue { parts.append(value) }
        if let value = trace.environment["procname"]?.stringValue { parts.append(value) }
        if let value = trace.environment["vpid"]?.integerValue { parts.append("(\(value))") }
        let origin = parts.isEmpty ? "" : parts.joined(separator: ":") + " "
        formats = .allocate(capacity: trace.eventClasses.count)
        for (index, eventClass) in trace.eventClasses.enumerated() {
            let head = Array("\(origin)\(eventClass.name):".utf8)
            let structures = trace.plan.classes[index].structures
            let template = structures.isEmpty ? nil : LineTemplate(structures)
            (formats.baseAddress! + index).initialize(
                to: LineFormat(
                    head: UnsafeBufferPointer(start: LineBuffer.padded(head), count: head.count),
                    template: template.map { .passRetained($0) },
                    clock: trace.streamClasses[eventClass.streamClassIndex].clock.map { ClockClass.Display($0) }))
        }
    }

    deinit {
        for format in formats {
            format.head.deallocate()
            format.template?.release()
        }
        formats.deallocate()
    }

    /// The address of the format of an event class, valid during the lifetime of this object.
    subscript(index: Int) -> UnsafePointer<LineFormat> {
        @inline(__always) get {
            precondition(formats.indices.contains(index))
            return UnsafePointer(formats.baseAddress! + index)
        }
    }
}
