extension Source {
    /// The bits of `flags` in source definitions.
    struct Flags: OptionSet {
        let rawValue: UInt8
        static let strict = Flags(rawValue: 1)
        /// The source existed before the session.
        static let seen = Flags(rawValue: 2)
        static let hasEventHandler = Flags(rawValue: 4)
    }
}
