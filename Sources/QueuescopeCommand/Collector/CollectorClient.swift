import CTFReader
import FoundationEssentials
import Glibc
import TraceExports

/// Sends the messages of an export to an OpenTelemetry collector, one after the other.
///
/// A message that the collector asks to send later (429, 502, 503 and 504) is sent again after the time in
/// `Retry-After`, or otherwise after a growing time. So is a message when the connection ends before the response. All
/// other failures end the export, because they would recur for the next messages.
final class CollectorClient {
    /// The attempts to send a message.
    private static let attempts = 6
    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)
    private static let retryableStatuses: Set = [429, 502, 503, 504]

    private let endpoint: CollectorEndpoint
    private let timeLimit: Duration
    private let pause: (Duration) -> Void
    private var connection: HTTPConnection?
    private var sent: [OTLPBatch.Signal: Int] = [:]
    private var rejected: [OTLPBatch.Signal: Int] = [:]
    /// The first message of the collector about a part that it rejected, or a warning.
    private var message = ""

    /// - Parameters:
    ///   - endpoint: the address of the collector.
    ///   - timeLimit: for one attempt, from the connection to the end of the response.
    ///   - pause: waits before the next attempt.
    init(
        _ endpoint: CollectorEndpoint, timeLimit: Duration,
        pause: @escaping (Duration) -> Void = CollectorClient.sleep
    ) {
        (self.endpoint, self.timeLimit, self.pause) = (endpoint, timeLimit, pause)
    }

    private static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var pause = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var rest = timespec()
        while nanosleep(&pause, &rest) != 0, errno == EINTR { pause = rest }
    }

    /// Sends a message.
    ///
    /// - Throws: ``CommandFailure`` with the reason.
    func send(_ batch: OTLPBatch) throws {
        var backoff = Self.firstPause
        for attempt in 1...Self.attempts {
            let isLast = attempt == Self.attempts
            let wait: Duration
            switch Result(catching: { () throws(HTTPConnection.Failure) in try post(batch) }) {
            case .success(let response):
                guard !(200..<300).contains(response.status) else { return accept(response, of: batch) }
                let answer = Self.sentence(about: response)
                guard Self.retryableStatuses.contains(response.status) else { throw failure(batch.signal, answer) }
                wait = Self.retryAfter(response) ?? Self.jittered(backoff)
                guard !isLast, wait <= Self.longestPause else {
                    throw failure(batch.signal, "\(answer). Try again later")
                }
            case .failure(let error):
                connection = nil
                guard isRetryable(error), !isLast else { throw failure(batch.signal, sentence(about: error)) }
                wait = Self.jittered(backoff)
            }
            pause(wait)
            backoff = min(backoff * 2, Self.longestPause)
        }
    }

    /// Prints the collector's messages.
    ///
    /// - Throws: ``CommandFailure`` if the collector rejected a part of the export.
    func finish() throws {
        connection = nil
        let parts = OTLPBatch.Signal.allCases.compactMap { signal in
            rejected[signal].map { "\(GroupedNumber.text($0)) of \(Self.amount(sent[signal] ?? 0, signal))" }
        }
        guard !parts.isEmpty else {
            if !message.isEmpty { StandardError.write("queuescope: the collector has a message: \(message)\n") }
            return
        }
        throw CommandFailure(
            .unavailable,
            "the collector rejected \(parts.joined(separator: " and "))\(message.isEmpty ? "" : ": \(message)")")
    }

    private func post(_ batch: OTLPBatch) throws(HTTPConnection.Failure) -> HTTPResponse {
        let deadline = ContinuousClock.now + timeLimit
        if connection == nil {
            connection = try HTTPConnection(to: endpoint.host, port: endpoint.port, until: deadline)
        }
        guard
            let response = try connection?.post(
                batch.text, to: endpoint.path(of: batch.signal), at: endpoint.authority, until: deadline)
        else { throw .disconnected }
        if !response.keepsConnection { connection = nil }
        return response
    }

    /// Connections that the collector closes are made again. The first connection is not: the address is probably
    /// wrong.
    private func isRetryable(_ failure: HTTPConnection.Failure) -> Bool {
        switch failure {
        case .unreachable: !sent.isEmpty
        case .disconnected: true
        case .timedOut, .invalidResponse: false
        }
    }

    // MARK: Responses

    /// The response of a collector to an accepted message.
    private struct Acceptance: Decodable {
        struct Partial: Decodable {
            let rejectedSpans: Count?
            let rejectedDataPoints: Count?
            let errorMessage: String?
        }

        /// A 64-bit number, which JSON contains as a number or as text.
        struct Count: Decodable {
            let value: Int

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let number = try? container.decode(Int.self) {
                    value = number
                } else {
                    value = Int(try container.decode(String.self)) ?? 0
                }
            }
        }

        let partialSuccess: Partial?
    }

    private func accept(_ response: HTTPResponse, of batch: OTLPBatch) {
        sent[batch.signal, default: 0] += batch.count
        let acceptance = try? JSONDecoder().decode(Acceptance.self, from: Data(response.body))
        guard let partial = acceptance?.partialSuccess else { return }
        let count = (batch.signal == .traces ? partial.rejectedSpans : partial.rejectedDataPoints)?.value ?? 0
        if count > 0 { rejected[batch.signal, default: 0] += count }
        if message.isEmpty { message = Self.excerpt(partial.errorMessage ?? "") }
    }

    /// The time in `Retry-After`: seconds, or a date.
    private static func retryAfter(_ response: HTTPResponse) -> Duration? {
        guard let text = response.headers["retry-after"] else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? .seconds(seconds) : nil }
        return seconds(sinceEpochOf: text).map { .seconds(max($0 - time(nil), 0)) }
    }

    private static let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")

    /// The time of an HTTP date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func seconds(sinceEpochOf date: String) -> Int? {
        let words = date.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int32(words[1]),
            let month = months.firstIndex(of: words[2]), let year = Int32(words[3]), (1970...9999).contains(year),
            case let clock = words[4].split(separator: ":").compactMap({ Int32($0) }), clock.count == 3
        else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (year - 1900, Int32(month), day)
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (clock[0], clock[1], clock[2])
        return timegm(&fields)
    }

    /// Half of the duration to all of it, so that several clients do not send at the same time.
    private static func jittered(_ duration: Duration) -> Duration { duration * Double.random(in: 0.5...1) }

    // MARK: Sentences

    private func failure(_ signal: OTLPBatch.Signal, _ reason: String) -> CommandFailure {
        let before = OTLPBatch.Signal.allCases.compactMap { signal in
            sent[signal].map { Self.amount($0, signal) }
        }
        let sentences = ["cannot export to \(endpoint.address(of: signal)): \(reason)"]
            + (before.isEmpty ? [] : ["Sent before: \(before.joined(separator: " and "))"])
        return CommandFailure(.unavailable, sentences.joined(separator: ". "))
    }

    private static func amount(_ count: Int, _ signal: OTLPBatch.Signal) -> String {
        "\(GroupedNumber.text(count)) \(signal == .traces ? "spans" : "data points")"
    }

    private func sentence(about failure: HTTPConnection.Failure) -> String {
        switch failure {
        case .unreachable(let reason): reason
        case .timedOut: "no response within \(timeLimit.formattedSeconds). --timeout changes the limit"
        case .disconnected: "the collector closed the connection without a response"
        case .invalidResponse:
            "the response is not HTTP/1.1, or longer than 4 MiB. OTLP over HTTP has port 4318; port 4317 is for gRPC"
        }
    }

    private static func sentence(about response: HTTPResponse) -> String {
        struct Status: Decodable { let message: String? }
        let status = try? JSONDecoder().decode(Status.self, from: Data(response.body))
        let text = excerpt(status?.message ?? String(decoding: response.body.prefix(1_000), as: UTF8.self))
        let answer = "the collector answers \(response.status)\(response.reason.isEmpty ? "" : " \(response.reason)")"
        return text.isEmpty ? answer : "\(answer): \(text)"
    }

    /// The first line of a text, without its end if it is long.
    private static func excerpt(_ text: String) -> String {
        String((text.split(whereSeparator: \.isNewline).first ?? "").prefix(300))
    }
}

extension Duration {
    fileprivate var formattedSeconds: String {
        let (seconds, attoseconds) = components
        return attoseconds == 0 ? "\(seconds) s" : "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) ms"
    }
}
