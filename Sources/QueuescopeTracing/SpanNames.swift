#if Tracing
    import Queuescope
    import Synchronization

    /// The names of spans with where they are started, as the recorder needs them: made once and kept for good.
    final class SpanNames: Sendable {
        /// A program with more of them puts what differs into the name, such as an id. The others, of events too, then
        /// share one name, and have their own in the message.
        static let limit = 4_096
        static let shared = SpanNames()

        private struct Place: Hashable {
            let name: String
            let file: String
            let line: UInt
        }

        private let names = Mutex<[Place: SignpostName]>([:])
        private let other = SignpostName("span", file: "", line: 0)
        private let limit: Int

        init(limit: Int = SpanNames.limit) { self.limit = limit }

        /// The name, and whether it is the span's own.
        func name(_ name: String, file: String, line: UInt) -> (name: SignpostName, isOwn: Bool) {
            let place = Place(name: name, file: file, line: line)
            return names.withLock { names in
                if let known = names[place] { return (known, true) }
                guard names.count < limit else { return (other, false) }
                let new = SignpostName(name, file: file, line: line)
                names[place] = new
                return (new, true)
            }
        }
    }
#endif
