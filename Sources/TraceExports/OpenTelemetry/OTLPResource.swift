import DispatchAnalysis

/// The recorded process as a resource of OpenTelemetry.
struct OTLPResource {
    private static let scope = "queuescope"

    private let attributes: [OTLPAttribute]

    /// - Parameters:
    ///   - trace: the summary of the process.
    ///   - service: the name of the service; nil for the name of its program.
    init(_ trace: TraceSummary, service: String?) {
        let process = trace.processes.first
        let name = process?.name ?? ""
        // The conventions require a name of the service.
        var attributes: [OTLPAttribute] = [.text("service.name", service ?? (name.isEmpty ? "unknown_service" : name))]
        let host = process.flatMap { $0.host.isEmpty ? nil : $0.host } ?? trace.host
        if !host.isEmpty { attributes.append(.text("host.name", host)) }
        if let pid = process?.pid, pid > 0 { attributes.append(.integer("process.pid", Int64(pid))) }
        if !name.isEmpty { attributes.append(.text("process.executable.name", name)) }
        attributes.append(.text("os.type", "linux"))
        self.attributes = attributes
    }

    /// Writes a message with one resource and one scope.
    ///
    /// - Parameters:
    ///   - list: the name of the list of resources, such as `resourceSpans`.
    ///   - scopes: the name of the list of scopes.
    ///   - elements: the name of the list of spans or metrics.
    ///   - text: the message.
    ///   - content: writes the elements.
    func write(
        _ list: StaticString, _ scopes: StaticString, _ elements: StaticString, to text: inout OTLPText,
        _ content: (inout OTLPText) -> Void
    ) {
        text.object { text in
            text.array(list) { text in
                text.object { text in
                    text.object("resource") { $0.attributes(attributes) }
                    text.array(scopes) { text in
                        text.object { text in
                            text.object("scope") { $0.string("name", Self.scope) }
                            text.array(elements, content)
                        }
                    }
                }
            }
        }
    }
}
