#if Tracing
    import InMemoryTracing
    import Queuescope
    import Testing
    import Tracing

    @testable import QueuescopeTracing

    extension QueuescopeTests {
        /// Tests that spans are recorded as intervals of the trace.
        @Suite struct SpanTests {
            private struct Timeout: Error {}
            private let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

            private func words(_ message: String) -> [String] { message.split(separator: " ").map(String.init) }

            @Test("A span is an interval with its name, kind and ids; a nested span has the id of its parent")
            func nested() async throws {
                let tracer = QueuescopeTracer()
                var ids: [TraceContext] = []
                let spans = try await RecordedSpans {
                    await tracer.withSpan("GET /articles/{id}", ofKind: .server) { outer in
                        ids.append(try! #require(outer.context.traceContext))
                        await Task.yield()
                        tracer.withSpan("load") { inner in ids.append(inner.context.traceContext!) }
                    }
                }
                #expect(spans.marks.map(\.event) == ["begin", "begin", "end", "end"])
                #expect(spans.marks.map(\.name) == ["GET /articles/{id}", "load", "load", "GET /articles/{id}"])
                #expect(spans.marks.map(\.category) == ["server", "internal", "internal", "server"])
                #expect(spans.marks[0].id == spans.marks[3].id && spans.marks[1].id == spans.marks[2].id)
                #expect(ids[0].isSameTrace(as: ids[1]))
                #expect(
                    spans.messages("begin") == [ids[0].traceparent, "\(ids[1].traceparent) parent=\(ids[0].spanID)"])
            }

            @Test("A span ends at the first call of end(), also in another task or on another thread, or never")
            func endedElsewhere() async throws {
                let tracer = QueuescopeTracer()
                let spans = try await RecordedSpans {
                    let moved = tracer.startSpan("moved")
                    await Task.detached { moved.end() }.value
                    moved.end()
                    _ = tracer.startSpan("left open")
                }
                #expect(spans.marks.map(\.event) == ["begin", "end", "begin"])
                #expect(spans.marks[0].id == spans.marks[1].id)
            }

            @Test("The end of a span has the selected attributes, the last name and the error")
            func attributes() async throws {
                let tracer = QueuescopeTracer(recording: QueuescopeTracer.standardAttributes + ["cache.hit"])
                let spans = try await RecordedSpans {
                    try? tracer.withSpan("GET") { span in
                        span.attributes["http.route"] = "/articles/{id}"
                        span.attributes["http.response.status_code"] = 504
                        span.attributes["db.operation.name"] = "select \"all\" of it"
                        span.attributes["cache.hit"] = false
                        span.attributes["user.name"] = "somebody"
                        span.operationName = "GET /articles"
                        span.addEvent("retry")
                        #expect(span.attributes.count == 5 && span.operationName == "GET /articles" && span.isRecording)
                        throw Timeout()
                    }
                }
                let message =
                    "name=\"GET /articles\" http.route=/articles/{id} http.response.status_code=504"
                    + " db.operation.name=\"select 'all' of it\" cache.hit=false error=Timeout"
                #expect(spans.messages("end") == [message])
                let event = try #require(spans.marks.first { $0.event == "event" })
                #expect(event.name == "retry" && event.id == spans.marks[0].id)
            }

            @Test("The status ok removes an earlier error")
            func status() async throws {
                let tracer = QueuescopeTracer()
                let spans = try await RecordedSpans {
                    for codes in [[SpanStatus.Code.error], [.error, .ok]] {
                        let span = tracer.startSpan("work")
                        for code in codes { span.setStatus(SpanStatus(code: code)) }
                        span.end()
                    }
                }
                #expect(spans.messages("end") == ["error=error", ""])
            }

            @Test("Names beyond the limit are in the message")
            func manyNames() {
                let names = SpanNames(limit: 2)
                #expect(
                    ["a", "b", "a", "c"].map { names.name($0, file: "f", line: 1).isOwn } == [true, true, true, false])
            }

            @Test("Spans and events beyond the limit have their names in the message")
            func manyEvents() async throws {
                let tracer = QueuescopeTracer(nil, [], names: SpanNames(limit: 1))
                let spans = try await RecordedSpans {
                    for name in ["first", "second"] { tracer.withSpan(name) { $0.addEvent("try again") } }
                }
                #expect(spans.messages("event") == ["name=\"try again\"", "name=\"try again\""])
                let begins = spans.messages("begin")
                #expect(begins.map { $0.hasSuffix(" name=second") } == [false, true])
            }

            @Test("Without a session a span records nothing, and passes on the incoming headers")
            func notRecording() throws {
                let tracer = QueuescopeTracer()
                var context = ServiceContext.topLevel
                tracer.extract(["traceparent": header, "tracestate": "v=1"], into: &context, using: Headers())
                let span = tracer.startSpan("work", context: context)
                span.attributes["http.route"] = "/"
                #expect(!span.isRecording && span.attributes.isEmpty && span.operationName == "work")
                var sent: [String: String] = [:]
                tracer.inject(span.context, into: &sent, using: Headers())
                #expect(sent == ["traceparent": header, "tracestate": "v=1"])
                span.end()
                sent = [:]
                tracer.inject(tracer.startSpan("alone").context, into: &sent, using: Headers())
                #expect(sent.isEmpty)
            }

            @Test("Outgoing headers continue the incoming trace, with the span's id")
            func propagated() async throws {
                let tracer = QueuescopeTracer()
                var sent: [String: String] = [:]
                let spans = try await RecordedSpans {
                    var context = ServiceContext.topLevel
                    tracer.extract(["traceparent": header], into: &context, using: Headers())
                    tracer.withSpan("serve", context: context) { span in
                        tracer.inject(span.context, into: &sent, using: Headers())
                    }
                }
                let traceparent = try #require(sent["traceparent"])
                #expect(traceparent.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") && traceparent != header)
                #expect(spans.messages("begin") == ["\(traceparent) parent=00f067aa0ba902b7"])
            }

            @Test(
                "The wrapped tracer gets every span unchanged, with and without a session", arguments: [false, true])
            func forwarding(isRecording: Bool) async throws {
                let inner = InMemoryTracer()
                let tracer = QueuescopeTracer(forwardingTo: inner)
                func run() {
                    tracer.withSpan("outer", ofKind: .server) { span in
                        span.attributes["user.name"] = "somebody"
                        tracer.withSpan("inner") { span in
                            span.addEvent("retry")
                            span.recordError(Timeout())
                            span.setStatus(SpanStatus(code: .error))
                        }
                    }
                }
                if isRecording {
                    let spans = try await RecordedSpans(run)
                    #expect(
                        spans.marks.filter { $0.event != "event" }.map(\.name) == ["outer", "inner", "inner", "outer"])
                } else {
                    run()
                }
                let finished = inner.finishedSpans
                #expect(finished.map(\.operationName) == ["inner", "outer"])
                #expect(finished[0].parentSpanID == finished[1].spanID && finished[0].traceID == finished[1].traceID)
                #expect(finished[1].attributes["user.name"]?.toSpanAttribute() == "somebody")
                #expect(finished[1].kind == .server && finished[0].status?.code == .error)
                #expect(finished[0].events.map(\.name) == ["retry"] && finished[0].errors.count == 1)
            }

            @Test("The ids of the wrapped tracer are used, and no header is sent twice")
            func foreignIDs() async throws {
                let tracer = QueuescopeTracer(forwardingTo: SendingTracer(traceparent: header))
                var sent: [String: String] = [:]
                let spans = try await RecordedSpans {
                    tracer.withSpan("work") { tracer.inject($0.context, into: &sent, using: Headers()) }
                }
                #expect(spans.messages("begin") == [header])
                #expect(sent == ["traceparent": header])
            }

            @Test("If the wrapped tracer sends no traceparent, one is added to its headers")
            func ownIDs() async throws {
                let tracer = QueuescopeTracer(forwardingTo: InMemoryTracer())
                var sent: [String: String] = [:]
                let spans = try await RecordedSpans {
                    tracer.withSpan("work") { tracer.inject($0.context, into: &sent, using: Headers()) }
                }
                #expect(sent[InMemoryTracer.traceIDKey] != nil)
                #expect(spans.messages("begin") == [sent["traceparent"]])
            }
        }

        private struct Headers: Extractor, Injector {
            func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
            func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
                carrier[key] = value
            }
        }

        /// Sends one fixed header for every span.
        private struct SendingTracer: Tracer {
            let traceparent: String

            func startSpan<Instant: TracerInstant>(
                _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
                at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
            ) -> NoOpTracer.Span {
                NoOpTracer().startSpan(
                    operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID,
                    line: line)
            }

            func forceFlush() {}

            func extract<Carrier, Extract: Extractor>(
                _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
            ) where Extract.Carrier == Carrier {}

            func inject<Carrier, Inject: Injector>(
                _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
            ) where Inject.Carrier == Carrier { injector.inject(traceparent, forKey: "traceparent", into: &carrier) }
        }
    }
#endif
