#if Tracing
    import Synchronization

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Ids of traces and spans, from SplitMix64 with a random seed of the system. A system random number for each id
    /// would cost a system call.
    ///
    /// A forked process gets a new seed.
    enum RandomIDs {
        private static let state = Atomic(UInt64.random(in: .min ... .max))

        /// Registers the fork handler after the initialisation of the state, which the handler uses. Otherwise a child
        /// that is forked during the initialisation would wait in the handler for a thread that it does not have.
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
