import CTFReader

/// Where the records of an event class have what the catalogue wants.
struct RecordFields {
    /// The class's number in the catalogue, 0 for one that this version does not know.
    var id: UInt8
    /// Where its fields begin in ``DispatchTrace/places``.
    var firstPlace: Int
    /// The process and the thread, where LTTng's provider puts them into the payload.
    var process = FieldPlace.absent
    var thread = FieldPlace.absent
    /// Its records, in short, begin a sync that found its queue free, or end what runs innermost.
    var beginsSync = false
    var endsCallout = false
    /// Whether the records say what a process is called.
    var describesProcess = false
    /// Whether the records say what others refer to, whenever they do so.
    var isDefinition = false
    /// What a part of the trace wants of the records outside of it.
    var role = WindowRole(.passing)

    /// The thread that recorded an event: what the payload says, else what the packet says; 0 for the definitions
    /// stream and when it is unknown.
    @inline(__always)
    func thread(of payload: EventPayload, else tid: UInt32) -> UInt32 {
        thread.isAbsent ? tid : UInt32(truncatingIfNeeded: payload.unsigned(thread))
    }

    /// The process that recorded an event: what the payload says, else what the record's context says; 0 for neither.
    @inline(__always)
    func process(of payload: EventPayload, else pid: UInt32) -> UInt32 {
        process.isAbsent ? pid : UInt32(truncatingIfNeeded: payload.unsigned(process))
    }
}

/// The fields of all event classes of a trace, valid as long as the trace is.
struct FieldTables {
    private let classes: UnsafeBufferPointer<RecordFields>
    private let places: UnsafeBufferPointer<FieldPlace>

    /// - Parameters:
    ///   - classes: by the class's position in the trace.
    ///   - places: of the fields of all classes; not empty.
    init(_ classes: UnsafeBufferPointer<RecordFields>, places: UnsafeBufferPointer<FieldPlace>) {
        self.classes = classes
        self.places = places
    }

    /// The fields of a class of the trace.
    @inline(__always)
    subscript(classIndex: Int) -> UnsafePointer<RecordFields> {
        precondition(UInt(bitPattern: classIndex) < UInt(bitPattern: classes.count))
        return classes.baseAddress.unsafelyUnwrapped + classIndex
    }

    /// The places of a class's fields, in the catalogue's order.
    @inline(__always)
    func places(of fields: UnsafePointer<RecordFields>) -> UnsafePointer<FieldPlace> {
        places.baseAddress.unsafelyUnwrapped + fields.pointee.firstPlace
    }
}
