import Testing

@testable import Symbolication

@Suite struct StackExcerptTests {
    private func frame(_ image: String, _ symbol: String?, file: String? = nil, line: Int = 1) -> StackFrame {
        StackFrame(address: 1, image: image, offset: 1, symbol: symbol, file: file, line: file == nil ? nil : line)
    }

    private func program(_ symbol: String?, file: String? = nil, line: Int = 1) -> StackFrame {
        frame("/srv/News", symbol, file: file, line: line)
    }

    @Test("Frames of the tracer, of libdispatch and of thunks are omitted, and the others are counted")
    func skipsTheTracer() {
        let tracer = [
            program("qs_capture_stack"), program("Queuescope.TracedQueue.setTarget() -> ()"),
            program("static Queuescope.CallStack.capture() -> ()"),
            program(
                "function signature specialization <Return = Owned> of "
                    + "Queuescope.TracedSource.(record in _E5AB)() -> ()"),
            program("closure #1 () -> () in Queuescope.SourceHandler.(recording in _E5ABB9)(Swift.Int) -> ()"),
            program("made_up", file: "/build/queuescope/Sources/CTraceRecorder/stream.c"),
            program("reabstraction thunk helper from @escaping () -> () to @escaping () -> ()"),
            frame("/usr/lib/libdispatch.so", "_dispatch_call"), frame("/usr/lib/libdispatch.so", nil),
        ]
        let own = [program("News.Connection.open() -> ()"), program(nil), program("main")]
        let excerpt = StackExcerpt(of: tracer + own, limit: 2)
        #expect(excerpt.frames == Array(own.prefix(2)))
        #expect(excerpt.rest == 1)
        #expect(StackExcerpt(of: own + tracer, limit: 3).rest == 0)
    }

    @Test("A stack of the tracer alone is shown as it is")
    func showsTheTracerAlone() {
        let tracer = [program("qs_a"), program("qs_b"), program("qs_c")]
        #expect(StackExcerpt(of: tracer, limit: 2).frames == Array(tracer.prefix(2)))
        #expect(StackExcerpt(of: tracer, limit: 2).rest == 1)
        #expect(StackExcerpt(of: [], limit: 2).frames.isEmpty)
    }

    @Test("Extensions of Queuescope's types in a program belong to the program")
    func keepsExtensions() {
        let own = [program("(extension in News):Queuescope.TracedQueue.retry(times: Swift.Int) -> ()")]
        #expect(StackExcerpt(of: [program("qs_a")] + own, limit: 5).frames == own)
    }

    @Test("The allocating part of an initializer is omitted only next to the initializer")
    func skipsAllocatingInitialisers() {
        let allocating = program("News.Store.__allocating_init(size: Swift.Int) -> News.Store", file: "Store.swift")
        let initialiser = program("News.Store.init(size: Swift.Int) -> News.Store", file: "Store.swift")
        let other = program("News.Other.init(size: Swift.Int) -> News.Other", file: "Store.swift")
        #expect(StackExcerpt(of: [initialiser, allocating], limit: 5).frames == [initialiser])
        #expect(StackExcerpt(of: [other, allocating], limit: 5).frames == [other, allocating])
        #expect(StackExcerpt(of: [allocating], limit: 5).frames == [allocating])
    }

    @Test("A function that calls itself is shown every time")
    func keepsRecursion() {
        let own = [program("News.walk(Swift.Int) -> ()"), program("News.walk(Swift.Int) -> ()")]
        #expect(StackExcerpt(of: own, limit: 5).frames == own)
    }
}
