#if Tracing
    import Synchronization

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Ids of traces and spans: SplitMix64 from a random number of the system, which would take a system call for each.
    ///
    /// A process that was forked from another one begins with a random number of its own.
    enum RandomIDs {
        private static let state = Atomic(UInt64.random(in: .min ... .max))

        /// The handler uses the state, so it is registered when there is one: in a child that is forked while another
        /// thread initialises the state, the handler would wait for that thread for ever.
        private static let seedsChildren: Bool = {
            _ = state.load(ordering: .relaxed)
            return pthread_atfork(nil, nil, { RandomIDs.seed() }) == 0
        }()

        private static func seed() { state.store(.random(in: .min ... .max), ordering: .relaxed) }

        /// The next id; never 0.
        static func next() -> UInt64 {
            _ = seedsChildren
            var id = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
            id = (id ^ (id >> 30)) &* 0xBF58_476D_1CE4_E5B9
            id = (id ^ (id >> 27)) &* 0x94D0_49BB_1331_11EB
            id ^= id >> 31
            return id == 0 ? 1 : id
        }
    }
#endif
