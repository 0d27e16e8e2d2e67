#if Tracing
    import Tracing

    /// The ids of a trace and a span of W3C Trace Context, as in a `traceparent` header.
    ///
    /// `queuescope report --request` takes the id of the trace, so a service should log it in every line.
    public struct TraceContext: Sendable, Hashable {
        /// The two halves of the 128-bit id of the trace; never both 0.
        let trace: (high: UInt64, low: UInt64)
        /// The 64-bit id of the span; never 0.
        let span: UInt64
        /// Bit 0: the sender may have recorded the trace. Bit 1: the id of the trace is random. Other bits are 0.
        let flags: UInt8
        /// The flags of W3C Trace Context, level 2.
        private static let knownFlags: UInt64 = 0x03
        /// The `tracestate` of other tracers, which is passed on unchanged.
        var state: String?

        /// 32 hexadecimal digits.
        public var traceID: String {
            String(unsafeUninitializedCapacity: 32) { bytes in
                Self.write(trace.high, digits: 16, to: bytes, at: 0)
                Self.write(trace.low, digits: 16, to: bytes, at: 16)
                return 32
            }
        }
        /// 16 hexadecimal digits.
        public var spanID: String {
            String(unsafeUninitializedCapacity: 16) { bytes in
                Self.write(span, digits: 16, to: bytes, at: 0)
                return 16
            }
        }
        /// The value of a `traceparent` header: version, trace, span and flags.
        public var traceparent: String {
            String(unsafeUninitializedCapacity: 55) { bytes in
                for dash in [2, 35, 52] { bytes[dash] = 45 }
                Self.write(0, digits: 2, to: bytes, at: 0)
                Self.write(trace.high, digits: 16, to: bytes, at: 3)
                Self.write(trace.low, digits: 16, to: bytes, at: 19)
                Self.write(span, digits: 16, to: bytes, at: 36)
                Self.write(UInt64(flags), digits: 2, to: bytes, at: 53)
                return 55
            }
        }

        /// Reads a `traceparent` header of any version.
        ///
        /// - Parameter traceparent: the header's value.
        /// - Returns: nil for a value that is invalid by W3C Trace Context, such as an id of zeros.
        public init?(traceparent: String) {
            let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
            // Only versions after 00 have more parts.
            guard parts.count >= 4, parts[0].utf8.count == 2, parts[0] != "ff", parts.count == 4 || parts[0] != "00",
                Self.number(parts[0]) != nil,
                parts[1].utf8.count == 32, let high = Self.number(parts[1].prefix(16)),
                let low = Self.number(parts[1].suffix(16)), high | low != 0,
                parts[2].utf8.count == 16, let span = Self.number(parts[2]), span != 0,
                parts[3].utf8.count == 2, let flags = Self.number(parts[3])
            else { return nil }
            // Undefined bits must not be sent in a header of version 00.
            (trace, self.span, self.flags) = ((high, low), span, UInt8(flags & Self.knownFlags))
        }

        /// A new span of the trace of the parent, or of a new trace.
        init(childOf parent: TraceContext?) {
            span = RandomIDs.next()
            if let parent {
                (trace, flags, state) = (parent.trace, parent.flags, parent.state)
            } else {
                trace = (RandomIDs.next(), RandomIDs.next())
                flags = 1
            }
        }

        func isSameTrace(as other: TraceContext) -> Bool { trace == other.trace }

        public static func == (left: TraceContext, right: TraceContext) -> Bool {
            left.trace == right.trace && left.span == right.span
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(span) }

        private static func write(
            _ number: UInt64, digits: Int, to bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int
        ) {
            for position in 0..<digits {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * (digits - 1 - position))) & 15
                bytes[start + position] = digit < 10 ? 48 + digit : 87 + digit
            }
        }

        /// Lower-case digits only, as required by the standard.
        private static func number(_ text: Substring) -> UInt64? {
            var number: UInt64 = 0
            for byte in text.utf8 {
                switch byte {
                case 48...57: number = number << 4 | UInt64(byte - 48)
                case 97...102: number = number << 4 | UInt64(byte - 87)
                default: return nil
                }
            }
            return number
        }
    }

    extension ServiceContext {
        private enum Key: ServiceContextKey {
            typealias Value = TraceContext
            static var nameOverride: String? { "queuescope-trace-context" }
        }

        /// The trace and span of the context, if ``QueuescopeTracer`` created it or read it from a carrier.
        public internal(set) var traceContext: TraceContext? {
            get { self[Key.self] }
            set { self[Key.self] = newValue }
        }
    }
#endif
