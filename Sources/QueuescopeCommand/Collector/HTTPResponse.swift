/// A response of an HTTP/1.1 server.
struct HTTPResponse: Equatable {
    let status: Int
    /// The text after the status, such as `Bad Request`; often empty.
    let reason: String
    /// By name in lower case. The last header of a name replaces the others.
    let headers: [String: String]
    let body: [UInt8]
    /// Whether the connection can be used for another request.
    let keepsConnection: Bool
}

/// Parses the bytes of a connection into a response (RFC 9112).
struct HTTPResponseParser {
    /// OTLP recommends 4 MiB for a body.
    private static let longestBody = 4 << 20
    private static let longestHead = 64 << 10

    private struct Head {
        let status: Int
        let reason: String
        let headers: [String: String]
        let isCurrentVersion: Bool
        /// The position of the body.
        let end: Int

        var isChunked: Bool { headers["transfer-encoding"]?.lowercased().hasSuffix("chunked") ?? false }
        var hasBody: Bool { status != 204 && status != 304 }
        var closes: Bool {
            let connection = headers["connection"]?.lowercased()
            return isCurrentVersion ? connection == "close" : connection != "keep-alive"
        }
    }

    private var bytes: [UInt8]
    private var consumed = 0

    /// - Parameter bytes: the bytes that were received already.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The bytes after the response.
    var rest: [UInt8] { Array(bytes[consumed...]) }

    /// - Throws: ``HTTPConnection/Failure/invalidResponse`` for a response that is too long.
    mutating func append(_ piece: [UInt8]) throws(HTTPConnection.Failure) {
        bytes += piece
        // The framing of chunks needs at most as many bytes as their contents.
        guard bytes.count <= Self.longestHead + 2 * Self.longestBody else { throw .invalidResponse }
    }

    /// The response, if it is complete.
    ///
    /// - Throws: ``HTTPConnection/Failure/invalidResponse``.
    mutating func next() throws(HTTPConnection.Failure) -> HTTPResponse? {
        while let head = try head() {
            // An interim response, such as 100 Continue, precedes the final one.
            if (100..<200).contains(head.status) {
                bytes.removeFirst(head.end)
                continue
            }
            guard head.hasBody else { return response(head, [], end: head.end) }
            if head.isChunked { return try chunked(head) }
            guard let length = head.headers["content-length"] else { return nil }
            guard let count = Int(length), (0...Self.longestBody).contains(count) else { throw .invalidResponse }
            guard bytes.count >= head.end + count else { return nil }
            return response(head, Array(bytes[head.end..<head.end + count]), end: head.end + count)
        }
        return nil
    }

    /// The response, after the server closed the connection.
    ///
    /// - Throws: ``HTTPConnection/Failure/disconnected`` if the response is not complete.
    mutating func end() throws(HTTPConnection.Failure) -> HTTPResponse {
        guard let head = try head(), !head.isChunked, head.headers["content-length"] == nil else {
            throw .disconnected
        }
        guard bytes.count - head.end <= Self.longestBody else { throw .invalidResponse }
        return response(head, Array(bytes[head.end...]), end: bytes.count, isClosed: true)
    }

    private mutating func response(_ head: Head, _ body: [UInt8], end: Int, isClosed: Bool = false) -> HTTPResponse {
        consumed = end
        return HTTPResponse(
            status: head.status, reason: head.reason, headers: head.headers, body: body,
            keepsConnection: !isClosed && !head.closes)
    }

    /// The status line and the headers; nil if they are not complete.
    private func head() throws(HTTPConnection.Failure) -> Head? {
        let begin = Array("HTTP/1.".utf8)
        guard bytes.starts(with: begin) || begin.starts(with: bytes.prefix(begin.count)) else { throw .invalidResponse }
        guard let end = Self.position(of: "\r\n\r\n", in: bytes, from: 0) else {
            guard bytes.count <= Self.longestHead else { throw .invalidResponse }
            return nil
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let first = lines[0].split(separator: " ", maxSplits: 2)
        guard first.count >= 2, first[1].utf8.count == 3, let status = Int(first[1]) else { throw .invalidResponse }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .invalidResponse }
            headers[parts[0].lowercased()] = Self.trimmed(parts[1])
        }
        return Head(
            status: status, reason: first.count > 2 ? String(first[2]) : "", headers: headers,
            isCurrentVersion: first[0] != "HTTP/1.0", end: end + 4)
    }

    /// The response if all chunks were received.
    private mutating func chunked(_ head: Head) throws(HTTPConnection.Failure) -> HTTPResponse? {
        var body: [UInt8] = []
        var next = head.end
        while let end = Self.position(of: "\r\n", in: bytes, from: next) {
            let line = String(decoding: bytes[next..<end], as: UTF8.self)
            guard let count = Int(Self.trimmed(line.prefix { $0 != ";" }), radix: 16),
                count >= 0, body.count + count <= Self.longestBody
            else { throw .invalidResponse }
            if count == 0 {
                // Trailers follow the last chunk, and an empty line follows the trailers.
                guard let last = Self.position(of: "\r\n\r\n", in: bytes, from: end) else { return nil }
                return response(head, body, end: last + 4)
            }
            guard bytes.count >= end + 2 + count + 2 else { return nil }
            body += bytes[end + 2..<end + 2 + count]
            next = end + 2 + count + 2
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text = text.dropLast() }
        return String(text)
    }

    private static func position(of text: String, in bytes: [UInt8], from begin: Int) -> Int? {
        let text = Array(text.utf8)
        guard begin + text.count <= bytes.count else { return nil }
        return (begin...bytes.count - text.count).first { bytes[$0..<$0 + text.count].elementsEqual(text) }
    }
}
