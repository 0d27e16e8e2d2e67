import DispatchModel
import Foundation
import TestSupport
import Testing

/// Opens traces that consist of metadata only, without streams, and traces of the corpus.
@Suite struct DispatchTraceTests {
    /// Writes a trace directory with the given environment and one event class of the given name.
    private func withTrace(environment: String, event: String, _ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let metadata = """
            /* CTF 1.8 */
            typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
            trace {
                major = 1; minor = 8; byte_order = le;
                packet.header := struct { uint32_t magic; uint32_t stream_id; };
            };
            env { \(environment) };
            stream { id = 0; event.header := struct { uint32_t id; uint32_t timestamp; }; };
            event { name = "\(event)"; id = 22; stream_id = 0; fields := struct { uint32_t queue; }; };

            """
        try Data(metadata.utf8).write(to: directory.appending(path: "metadata"))
        try body(directory.path)
    }

    @Test("A trace of this schema version tells who recorded it")
    func opens() throws {
        let environment = """
            hostname = "box"; procname = "news"; vpid = 42; backend = "ring"; schema_major = 1; schema_minor = 9; \
            processors = 8; tracer_name = "queuescope";
            """
        try withTrace(environment: environment, event: "dispatch:item_begin") { path in
            let trace = try DispatchTrace(path: path)
            #expect(trace.schema.description == "1.9")
            #expect(trace.backend == "ring")
            #expect(trace.host == "box")
            #expect(trace.processName == "news")
            #expect(trace.processID == 42)
            #expect(trace.processors == UsableProcessors(allowed: 8))
            let summary = try trace.forEachEvent { _, _, _ in }
            #expect(summary.events == 0)
        }
    }

    @Test("Fields that a later schema version added are zero in an older trace", arguments: ["1.6", "1.7", "1.8"])
    func laterFields(version: String) throws {
        let root = Package.root + "/traces/\(version)"
        var descriptors: Set<DescriptorKind> = []
        var makers: Set<Bool> = []
        for name in ["plain-news-service-before", "chat-gateway"] {
            _ = try DispatchTrace(path: "\(root)/\(name)/trace").forEachEvent { event, _, _ in
                switch event {
                case .blockedCall(let call): descriptors.insert(call.descriptor)
                case .threadStart(let start): makers.insert(start.maker != 0 && start.age > 0)
                default: break
                }
            }
        }
        let isRecorded = version == "1.8"
        let expected: Set<DescriptorKind> = isRecorded ? [.unknown, .tcpSocket] : [.unknown]
        #expect(descriptors == expected)
        #expect(makers.contains(true) == isRecorded)
    }

    @Test("It tells the processors that the process may use, and its CFS quota")
    func processors() throws {
        let environment = "vpid = 42; processors = 8; processors_online = 64; processor_quota_milli = 1500;"
        try withTrace(environment: environment, event: "dispatch:item_begin") { path in
            let processors = try DispatchTrace(path: path).processors
            #expect(processors == UsableProcessors(allowed: 8, online: 64, quotaMilli: 1_500))
            #expect(processors.count == 2)
            #expect(processors.quota == 1.5)
        }
    }

    @Test("A trace of a newer major version is refused with both versions named")
    func newerSchema() throws {
        try withTrace(environment: "schema_major = 2; schema_minor = 3;", event: "dispatch:item_begin") { path in
            let error = try #require(throws: DispatchTraceError.self) { try DispatchTrace(path: path) }
            #expect(error.code == .unsupportedSchema)
            #expect(error.description.contains("newer schema version 2.3"))
            #expect(error.description.contains("1.x"))
            #expect(error.description.contains(path))
        }
    }

    @Test("A CTF trace without dispatch events is refused")
    func foreignTrace() throws {
        try withTrace(environment: "hostname = \"box\";", event: "sched_switch") { path in
            let error = try #require(throws: DispatchTraceError.self) { try DispatchTrace(path: path) }
            #expect(error.code == .notADispatchTrace)
            #expect(error.description.contains(path))
        }
    }

    @Test("LTTng's own environment has no schema version, and its provider is of this one")
    func lttng() throws {
        let environment = "domain = \"ust\"; tracer_name = \"lttng-ust\"; tracer_major = 2; hostname = \"box\";"
        try withTrace(environment: environment, event: "dispatch:item_begin") { path in
            let trace = try DispatchTrace(path: path)
            #expect(trace.backend == "lttng")
            #expect(trace.schema.isReadable)
        }
    }
}
