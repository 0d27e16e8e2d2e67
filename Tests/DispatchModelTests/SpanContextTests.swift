import DispatchModel
import Testing

/// The span of an interval, from its message.
@Suite struct SpanContextTests {
    private let header = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test("A span's message has its ids, the span around it, its last name, and its attributes")
    func whole() throws {
        let message = "\(header) parent=53995c3f42cd8ad8 → name=\"GET /a b\" http.route=/a error=\"Too late\""
        let span = try #require(SpanContext(message: message))
        #expect(span.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(span.spanID == "00f067aa0ba902b7")
        #expect(span.parentID == "53995c3f42cd8ad8")
        #expect(span.name == "GET /a b")
        #expect(span.attributes == ["http.route=/a", "error=\"Too late\""])
    }

    @Test("A header anywhere in a program's own message is enough")
    func own() throws {
        let span = try #require(SpanContext(message: "request \(header) of somebody"))
        #expect(span.parentID == nil && span.name == nil && span.attributes == ["request", "of", "somebody"])
    }

    @Test(
        "Other messages are of no span",
        arguments: [
            "", "request 12", "4bf92f3577b34da6a3ce929d0e0e4736",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01-what",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "see00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ])
    func none(message: String) { #expect(SpanContext(message: message) == nil) }
}
