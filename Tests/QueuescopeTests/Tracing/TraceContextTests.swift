#if Tracing
    import Testing

    @testable import QueuescopeTracing

    extension QueuescopeTests {
        /// Tests for the ids of W3C Trace Context in headers.
        @Suite struct TraceContextTests {
            private let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

            @Test("A parsed header is written again unchanged")
            func roundTrip() throws {
                let context = try #require(TraceContext(traceparent: header))
                #expect(context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
                #expect(context.spanID == "00f067aa0ba902b7")
                #expect(context.traceparent == header)
            }

            @Test("Additional parts are accepted in later versions, and rejected in version 00")
            func laterVersions() {
                #expect(TraceContext(traceparent: "cc" + header.dropFirst(2) + "-what") != nil)
                #expect(TraceContext(traceparent: header + "-what") == nil)
            }

            @Test("Unknown flags are not sent on")
            func unknownFlags() {
                let later = "01" + header.dropFirst(2).dropLast(2)
                #expect(TraceContext(traceparent: later + "ff-x")?.traceparent == header.dropLast(2) + "03")
                #expect(TraceContext(traceparent: later + "fc")?.traceparent == header.dropLast(2) + "00")
            }

            @Test(
                "Headers that the standard calls invalid give no context",
                arguments: [
                    "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                    "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
                    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
                    "0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
                ])
            func invalid(header: String) { #expect(TraceContext(traceparent: header) == nil) }

            @Test("Ids of new traces and spans are never 0, and no two are the same")
            func newIDs() {
                let contexts = (0..<1_000).map { _ in TraceContext(childOf: nil) }
                #expect(Set(contexts.flatMap { [$0.span, $0.trace.high, $0.trace.low] }).count == 3_000)
                #expect(contexts.allSatisfy { TraceContext(traceparent: $0.traceparent) == $0 })
            }

            @Test("A child has its parent's trace, flags and state; a root has a trace of its own")
            func children() throws {
                var parent = try #require(TraceContext(traceparent: header))
                parent.state = "vendor=1"
                let child = TraceContext(childOf: parent)
                #expect(child.isSameTrace(as: parent) && child.span != parent.span)
                #expect(child.state == "vendor=1" && child.traceparent.hasSuffix("-01"))
                let (first, second) = (TraceContext(childOf: nil), TraceContext(childOf: nil))
                #expect(!first.isSameTrace(as: second) && first.span != second.span)
                #expect(TraceContext(traceparent: first.traceparent) == first)
            }
        }
    }
#endif
