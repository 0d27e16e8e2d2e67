import TraceExports

/// The address of an OpenTelemetry collector that receives OTLP over HTTP, such as `http://localhost:4318`.
struct CollectorEndpoint: Equatable {
    /// The default port of OTLP over HTTP.
    private static let defaultPort: UInt16 = 4318

    /// A name or an address, without the brackets of IPv6.
    let host: String
    let port: UInt16
    /// The path in front of `/v1/traces`; empty for none.
    let path: String

    /// The reason why a text is no address of a collector.
    struct Problem: Error, Equatable {
        /// A sentence.
        let sentence: String
    }

    /// - Throws: ``Problem`` for an address with another scheme, a user name, a query, or an invalid port.
    init(_ text: String) throws(Problem) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme != "https" else {
            throw Problem(
                sentence: "queuescope cannot send over https, because it has no TLS. Name a collector on this machine "
                    + "or in this network with http, or write a file with --output.")
        }
        guard scheme == "http", text.dropFirst(4).hasPrefix("://") else {
            throw Problem(sentence: "give an address such as http://localhost:4318.")
        }
        let rest = text.dropFirst(7)
        guard rest.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), !rest.contains(where: { "?#@\"<>\\".contains($0) })
        else {
            throw Problem(sentence: "the address has only a host, a port and a path: http://localhost:4318.")
        }
        let authority = rest.prefix { $0 != "/" }
        var path = rest.dropFirst(authority.count)
        while path.hasSuffix("/") { path = path.dropLast() }
        for signal in OTLPBatch.Signal.allCases where path.hasSuffix("/v1/\(signal)") {
            throw Problem(sentence: "give the address without /v1/\(signal), which queuescope adds.")
        }
        let (host, port) = try Self.split(authority)
        guard !host.isEmpty else { throw Problem(sentence: "the address has no host: http://localhost:4318.") }
        (self.host, self.port, self.path) = (host, port, String(path))
    }

    private static func split(_ authority: Substring) throws(Problem) -> (host: String, port: UInt16) {
        var (host, rest) = (authority.prefix { $0 != ":" }, authority.drop { $0 != ":" })
        if authority.hasPrefix("["), let bracket = authority.firstIndex(of: "]") {
            host = authority[authority.index(after: authority.startIndex)..<bracket]
            rest = authority[authority.index(after: bracket)...]
        }
        guard !rest.isEmpty else { return (String(host), defaultPort) }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else {
            throw Problem(sentence: "the port is a number from 1 to 65535: http://localhost:4318.")
        }
        return (String(host), port)
    }

    /// The host and port, as in the header `Host`.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The path of the requests for a kind of telemetry.
    func path(of signal: OTLPBatch.Signal) -> String { "\(path)/v1/\(signal.rawValue)" }

    /// The address of the requests for a kind of telemetry.
    func address(of signal: OTLPBatch.Signal) -> String { "http://\(authority)\(path(of: signal))" }
}
