import CTFReader

/// Where the records of an event class contain the fields of the catalogue.
struct RecordFields {
    /// The number of the class in the catalogue; 0 for a class that is unknown to this version.
    var id: UInt8
    /// Position of its first field in ``DispatchTrace/places``.
    var firstPlace: Int
    /// Position of the process and of the thread, if the provider of LTTng stores them in the payload.
    var process = FieldPlace.absent
    var thread = FieldPlace.absent
    /// Whether its records are short forms: the begin of a sync that found its queue free, or the end of the innermost
    /// callout.
    var beginsSync = false
    var endsCallout = false
    /// Whether its records contain the name of a process.
    var describesProcess = false
    /// Whether its records are definitions, to which other records refer. Their time is not relevant.
    var isDefinition = false
    /// How a window of the trace uses the records outside of it.
    var role = WindowRole(.passing)

    /// The thread that recorded an event, from the payload or otherwise from the packet; 0 for the definitions stream,
    /// and when unknown.
    @inline(__always)
    func thread(of payload: EventPayload, else tid: UInt32) -> UInt32 {
        thread.isAbsent ? tid : UInt32(truncatingIfNeeded: payload.unsigned(thread))
    }

    /// The process that recorded an event, from the payload or otherwise from the record's context; 0 when both lack
    /// it.
    @inline(__always)
    func process(of payload: EventPayload, else pid: UInt32) -> UInt32 {
        process.isAbsent ? pid : UInt32(truncatingIfNeeded: payload.unsigned(process))
    }
}

/// The fields of all event classes of a trace. Valid while the trace is.
struct FieldTables {
    private let classes: UnsafeBufferPointer<RecordFields>
    private let places: UnsafeBufferPointer<FieldPlace>

    /// - Parameters:
    ///   - classes: by position of the class in the trace.
    ///   - places: the positions of the fields of all classes. Must not be empty.
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

    /// The positions of the fields of a class, in the order of the catalogue.
    @inline(__always)
    func places(of fields: UnsafePointer<RecordFields>) -> UnsafePointer<FieldPlace> {
        places.baseAddress.unsafelyUnwrapped + fields.pointee.firstPlace
    }
}
