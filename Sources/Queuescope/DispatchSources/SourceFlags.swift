/// The `flags` field of `source_create`.
struct SourceFlags: OptionSet, Sendable {
    let rawValue: UInt8

    /// A timer whose leeway must be observed.
    static let strict = SourceFlags(rawValue: 1)
    /// It existed before the session.
    static let seen = SourceFlags(rawValue: 2)
    /// An event handler was set before the session.
    static let hasEventHandler = SourceFlags(rawValue: 4)
    /// It was activated before the session.
    static let active = SourceFlags(rawValue: 8)
}
