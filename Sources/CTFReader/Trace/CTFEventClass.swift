/// What the event records of one kind consist of.
public struct CTFEventClass: Hashable, Sendable {
    /// The name, for instance `dispatch:item_begin`.
    public var name: String
    /// The number that identifies the class in its stream class.
    public var id: UInt64
    /// The number of the stream class.
    public var streamClassID: UInt64
    /// Position of the stream class in ``CTFTrace/streamClasses``.
    public var streamClassIndex: Int
    /// The log level, nil when none is given.
    public var logLevel: Int64?
    /// What stands before the payload in the records of this class only.
    public var context: [CTFField]
    /// The fields of the payload, hidden length fields among them.
    public var fields: [CTFField]
}

/// A named field.
public struct CTFField: Hashable, Sendable {
    /// The name, without the one leading underscore that tracers put before it.
    public var name: String
    /// The type.
    public var type: CTFFieldType
    /// The name as it stands in the metadata.
    var declaredName: String
}
