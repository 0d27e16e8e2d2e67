import DispatchAnalysis
import DispatchModel
import FoundationEssentials

/// What a finding is about, in terms that stay the same from run to run and from edit to edit.
///
/// Times, costs, counts, addresses and line numbers are left out: they differ between two runs of one program, or as
/// soon as somebody adds a line above. What stays is the detector, the pattern of the labels (`news.connection.*`), and
/// the file and function.
public struct FindingIdentity: Hashable, Sendable {
    /// The detector's id.
    public let detector: String
    /// Label patterns of the queues and locks concerned, the most important first, each once.
    public let objects: [String]
    /// Places in the program without line numbers, `Module/File.swift function`, the most important first, each once.
    public let code: [String]

    /// Creates it from its parts.
    public init(detector: String, objects: [String], code: [String]) {
        self.detector = detector
        self.objects = objects
        self.code = code
    }

    /// - Parameters:
    ///   - finding: the finding.
    ///   - model: the entities that it refers to, whose code has got its names already.
    public init(_ finding: Finding, in model: DispatchModel) {
        detector = finding.detector
        let names = finding.queues.map { model[$0].name } + finding.locks.map { model[$0].name }
        objects = Self.distinct(names.map { $0.isEmpty ? "unlabelled" : LabelPattern.of($0) })
        code = Self.distinct(finding.code.map { Self.place(model[$0]) }.filter { !$0.isEmpty })
    }

    /// Whether two findings are about the same problem.
    ///
    /// One run names the four queues that lost most, the next one four others of the hundred alike; so it is enough
    /// that they share a queue or lock, where both have any, and a place in the code, where both have any.
    public func isSame(as other: Self) -> Bool {
        detector == other.detector && Self.meets(objects, other.objects) && Self.meets(code, other.code)
    }

    /// Sixteen hexadecimal digits for tools that compare strings only: of the detector, the first queue or lock and the
    /// first place in the code (FNV-1a of 64 bits).
    public var fingerprint: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in [detector, objects.first ?? "", code.first ?? ""].joined(separator: "\n").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func meets(_ left: [String], _ right: [String]) -> Bool {
        left.isEmpty || right.isEmpty || left.contains(where: right.contains)
    }

    private static func distinct(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// Without the line, and for code without a name, which is `module+0x1234`, without the offset.
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
