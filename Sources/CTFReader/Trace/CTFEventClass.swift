/// An event class: the common structure of its event records.
public struct CTFEventClass: Hashable, Sendable {
    /// The name, for example `dispatch:item_begin`.
    public var name: String
    /// The id of the class in its stream class.
    public var id: UInt64
    /// The id of the stream class.
    public var streamClassID: UInt64
    /// Index of the stream class in ``CTFTrace/streamClasses``.
    public var streamClassIndex: Int
    /// The log level; nil without one.
    public var logLevel: Int64?
    /// The fields of the event context of this class.
    public var context: [CTFField]
    /// The fields of the payload, including hidden length fields.
    public var fields: [CTFField]
}

/// A named field.
public struct CTFField: Hashable, Sendable {
    /// The name without the single leading underscore that tracers prepend.
    public var name: String
    /// The type.
    public var type: CTFFieldType
    /// The name in the metadata.
    var declaredName: String
}
