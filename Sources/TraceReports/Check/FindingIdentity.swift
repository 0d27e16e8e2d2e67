import DispatchAnalysis
import DispatchModel
import FoundationEssentials

/// The subject of a finding in terms that stay the same from run to run and from edit to edit.
///
/// Times, costs, counts, addresses and line numbers are excluded: they differ between two runs of one program, or
/// change when a line is inserted above. The identity has the detector, the pattern of the labels
/// (`news.connection.*`), and the file and function.
public struct FindingIdentity: Hashable, Sendable {
    /// The id of the detector.
    public let detector: String
    /// Label patterns of the queues and locks of the finding, the most important first, each once.
    public let objects: [String]
    /// Places in the program without line numbers, `Module/File.swift function`, the most important first, each once.
    public let code: [String]

    /// Creates an identity from its parts.
    public init(detector: String, objects: [String], code: [String]) {
        self.detector = detector
        self.objects = objects
        self.code = code
    }

    /// - Parameters:
    ///   - finding: the finding.
    ///   - model: the model that the finding refers to. Its code must have names already.
    public init(_ finding: Finding, in model: DispatchModel) {
        detector = finding.detector
        let names = finding.queues.map { model[$0].name } + finding.locks.map { model[$0].name }
        objects = Self.distinct(names.map { $0.isEmpty ? "unlabelled" : LabelPattern.of($0) })
        code = Self.distinct(finding.code.map { Self.place(model[$0]) }.filter { !$0.isEmpty })
    }

    /// Whether two findings are about the same problem.
    ///
    /// Two runs can list different queues for one problem, for example the costliest 4 of 100 similar queues. So the
    /// findings are the same when they share at least one queue or lock (if both have any) and at least one place in
    /// the code (if both have any).
    public func isSame(as other: Self) -> Bool {
        detector == other.detector && Self.overlaps(objects, other.objects) && Self.overlaps(code, other.code)
    }

    /// Sixteen hexadecimal digits for tools that compare only strings: the 64-bit FNV-1a hash of the detector, the
    /// first queue or lock, and the first place in the code.
    public var fingerprint: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in [detector, objects.first ?? "", code.first ?? ""].joined(separator: "\n").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func overlaps(_ left: [String], _ right: [String]) -> Bool {
        left.isEmpty || right.isEmpty || left.contains(where: right.contains)
    }

    private static func distinct(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// The file and function without the line. For code without a name (`module+0x1234`), the module without the
    /// offset.
    static func place(_ code: Code) -> String {
        let symbol = Demangler.demangled(code.symbol) ?? code.symbol
        if code.file.isEmpty, let offset = symbol.ranges(of: "+0x").last,
            symbol[offset.upperBound...].allSatisfy(\.isHexDigit)
        {
            return String(symbol[..<offset.lowerBound])
        }
        return [code.file, symbol].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
