import AnalysisText
import DispatchAnalysis
import DispatchModel
import FoundationEssentials
import ReportText
import Symbolication

/// Findings for code-review tools: a SARIF 2.1.0 log. Its rules are the detectors, and its results are attached to
/// lines of the program.
///
/// File paths are relative to the project, under the base id `SRCROOT`. The partial fingerprint of a result stays the
/// same from run to run, see ``FindingIdentity/fingerprint``. In a check with a baseline, the state of a finding is
/// `unchanged`, `updated` (more severe) or `new`.
public struct SARIFReport {
    /// The base id of every file path.
    static let baseID = "SRCROOT"

    private let analysis: Analysis
    private let symbols: SymbolTable
    private let sources: SourceTree?
    private let version: String
    private let check: FindingCheck?

    /// - Parameters:
    ///   - analysis: the analysis to report.
    ///   - symbols: names of code addresses.
    ///   - sources: the files of the project; nil keeps the file names of the trace, `Module/File.swift`.
    ///   - version: the version of Queuescope.
    ///   - check: the result of a check of the same analysis against a baseline; nil for a plain report.
    public init(
        _ analysis: Analysis, symbols: SymbolTable? = nil, sources: SourceTree? = nil, version: String,
        check: FindingCheck? = nil
    ) {
        self.analysis = analysis
        self.symbols = symbols ?? SymbolTable(images: analysis.model.images)
        self.sources = sources
        self.version = version
        self.check = check
    }

    /// Renders the document, with a line feed at its end.
    public func render() throws -> String {
        let rules = DetectorRegistry.all.map(SARIFLog.Rule.init)
        let positions = Dictionary(
            rules.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let entries = Dictionary(
            (check?.entries ?? []).map { ($0.finding.id, $0) }, uniquingKeysWith: { first, _ in first })
        var results = analysis.findings.map { finding in
            result(
                finding, rule: positions[finding.detector] ?? -1,
                state: check?.hasBaseline == true ? Self.state(of: entries[finding.id]) : nil)
        }
        results += (check?.gone ?? []).map { absent($0, rule: positions[$0.detector] ?? -1) }
        Self.number(&results)
        let base = SARIFLog.ArtifactLocation(description: .init(text: "The folder of the program's sources."))
        let run = SARIFLog.Run(
            tool: .init(driver: .init(semanticVersion: version, rules: rules)),
            invocations: [.init(executionSuccessful: true, toolExecutionNotifications: notifications)],
            originalUriBaseIds: [Self.baseID: base], results: results, properties: ["trace": analysis.trace.path])
        return try JSONDocument.text(of: SARIFLog(runs: [run]))
    }

    /// The state of a finding compared with the baseline; nil when they cannot be compared.
    private static func state(of entry: FindingCheck.Entry?) -> String? {
        if entry?.isUnmatched == true { return nil }
        return entry?.isKnown == true ? "unchanged" : entry?.risenFrom != nil ? "updated" : "new"
    }

    /// Notes and losses of the trace that a reader of the results must take into account.
    private var notifications: [SARIFLog.Notification] {
        var notes = analysis.trace.notes.map { SARIFLog.Notification(level: "note", message: .init(text: $0)) }
        if let ending = analysis.trace.ending, ending.isCrash {
            let words = "The program crashed: it ended \(HeaderSection.words(ending))."
            notes.append(.init(level: "error", message: .init(text: words)))
        }
        if let sentence = MissingEventsText.discarded(of: analysis.trace) {
            notes.append(.init(level: "warning", message: .init(text: sentence)))
        }
        return notes
    }

    private func result(_ finding: Finding, rule: Int, state: String?) -> SARIFLog.Result {
        let places = finding.code.map(location).filter { $0.physicalLocation != nil || $0.logicalLocations != nil }
        let identity = FindingIdentity(finding, in: analysis.model)
        let named = identity.objects.map { SARIFLog.LogicalLocation(name: $0, kind: "queue or lock") }
        var main = places.first ?? SARIFLog.Location()
        let objects = (main.logicalLocations ?? []) + named
        main.logicalLocations = objects.isEmpty ? nil : objects
        let related = places.dropFirst().enumerated().map { position, place in
            var place = place
            place.id = position + 1
            place.message = .init(text: "also here")
            return place
        }
        let properties = SARIFLog.Properties(
            id: finding.id, cost: finding.cost.count, begin: finding.begin.nanoseconds, end: finding.end.nanoseconds,
            measures: Dictionary(finding.measures.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first }),
            evidence: finding.evidence.map(words), fix: finding.advice.fix, caveat: finding.caveat)
        return SARIFLog.Result(
            ruleId: finding.detector, ruleIndex: rule, level: finding.severity.sarifLevel,
            message: .init(
                text: finding.summary + " " + finding.advice.text,
                markdown: finding.summary + "\n\n**Advice.** " + finding.advice.text),
            locations: main.isEmpty ? [] : [main], relatedLocations: related.isEmpty ? nil : related,
            stacks: stacks(of: finding), occurrenceCount: finding.occurrences > 0 ? finding.occurrences : nil,
            partialFingerprints: Self.fingerprints(identity), baselineState: state,
            properties: properties)
    }

    /// The result for a finding of the baseline that this trace does not have.
    private func absent(_ identity: FindingIdentity, rule: Int) -> SARIFLog.Result {
        let places = identity.objects.map { SARIFLog.LogicalLocation(name: $0, kind: "queue or lock") }
        return SARIFLog.Result(
            ruleId: identity.detector, ruleIndex: rule, level: "none",
            message: .init(text: "This trace no longer has this finding."),
            locations: places.isEmpty ? [] : [.init(logicalLocations: places)], relatedLocations: nil, stacks: nil,
            occurrenceCount: nil, partialFingerprints: Self.fingerprints(identity), baselineState: "absent",
            properties: .init(
                id: nil, cost: nil, begin: nil, end: nil, measures: nil, evidence: nil, fix: nil, caveat: nil))
    }

    /// Numbers results with equal fingerprints. Tools would otherwise merge them into one result.
    private static func number(_ results: inout [SARIFLog.Result]) {
        var counts: [String: Int] = [:]
        for position in results.indices {
            for (name, fingerprint) in results[position].partialFingerprints {
                let count = counts[fingerprint, default: 0] + 1
                counts[fingerprint] = count
                if count > 1 { results[position].partialFingerprints[name] = "\(fingerprint):\(count)" }
            }
        }
    }

    private static func fingerprints(_ identity: FindingIdentity) -> [String: String] {
        ["queuescope/v1": identity.fingerprint]
    }

    private func words(_ evidence: Evidence) -> String {
        let thread = ThreadName.of(evidence.thread, in: analysis.model)
        return "\(CompactNumber.exactPlace(evidence.time)) \(thread) \(evidence.event): \(evidence.detail)"
    }

    private func stacks(of finding: Finding) -> [SARIFLog.Stack]? {
        let stacks = finding.stacks.compactMap { title, stack -> SARIFLog.Stack? in
            let frames = symbols.frames(of: analysis.model[stack])
            guard !frames.isEmpty else { return nil }
            return SARIFLog.Stack(
                message: .init(text: title),
                frames: frames.map {
                    .init(
                        location: location(symbol: $0.description, file: $0.file ?? "", line: $0.line ?? 0),
                        module: $0.imageName.isEmpty ? nil : $0.imageName)
                })
        }
        return stacks.isEmpty ? nil : stacks
    }

    private func location(_ index: CodeIndex) -> SARIFLog.Location {
        let code = CodeDocument(index, in: analysis.model, symbols: symbols)
        return location(symbol: code.symbol, file: code.file, line: code.line)
    }

    private func location(symbol: String, file: String, line: Int) -> SARIFLog.Location {
        var location = SARIFLog.Location()
        if !symbol.isEmpty { location.logicalLocations = [.init(name: symbol, kind: "function")] }
        // An absolute path of the machine that compiled the file has no meaning for a reviewer.
        guard !file.isEmpty, let path = sources?.path(of: file) ?? (file.hasPrefix("/") ? nil : file) else {
            return location
        }
        location.physicalLocation = .init(
            artifactLocation: .init(uri: Self.percentEncoded(path), uriBaseId: Self.baseID),
            region: line > 0 ? .init(startLine: line) : nil)
        return location
    }

    /// Percent-encodes the characters of a path that RFC 3986 does not allow in a URI path.
    private static func percentEncoded(_ path: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,=:@/".utf8)
        return path.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return (digits.count == 1 ? "%0" : "%") + digits
        }.joined()
    }
}

extension SARIFLog.Location {
    fileprivate var isEmpty: Bool { physicalLocation == nil && logicalLocations == nil }
}

extension SARIFLog.Rule {
    fileprivate init(_ detector: any Detector.Type) {
        id = detector.id
        name = detector.id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        shortDescription = .init(text: detector.title)
        let paragraphs = detector.documentation.split(separator: "\n\n", maxSplits: 1)
        fullDescription = .init(text: paragraphs.first.map { String($0).replacing("\n", with: " ") } ?? detector.title)
        help = .init(text: detector.documentation, markdown: detector.documentation)
        defaultConfiguration = .init(level: Finding.Severity.warning.sarifLevel)
    }
}

extension Finding.Severity {
    /// The level of this severity in SARIF.
    fileprivate var sarifLevel: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "note"
        }
    }
}
