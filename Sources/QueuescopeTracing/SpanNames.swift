#if Tracing
    import Queuescope
    import Synchronization

    /// The names of spans with their places in the source, in the form of the recorder. A name is created once and
    /// never freed.
    final class SpanNames: Sendable {
        /// A program exceeds this limit if its names contain variable data, such as an id. Further names of spans and
        /// events share one name, and the message has the actual name.
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

        /// The name, and whether it is the actual name of the span.
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
