import DispatchAnalysis
import DispatchModel
import FoundationEssentials
import Symbolication

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
    /// True when the code has only the names of executables and libraries, because their symbols were not available.
    /// Such a place cannot be compared with a function.
    public let isNameless: Bool

    /// Creates an identity from its parts.
    public init(detector: String, objects: [String], code: [String], isNameless: Bool = false) {
        self.detector = detector
        self.objects = objects
        self.code = code
        self.isNameless = isNameless && !code.isEmpty
    }

    /// - Parameters:
    ///   - finding: the finding.
    ///   - model: the model that the finding refers to. Its code must have names already.
    public init(_ finding: Finding, in model: DispatchModel) {
        detector = finding.detector
        let names = finding.queues.map { model[$0].name } + finding.locks.map { model[$0].name }
        objects = Self.distinct(names.map { $0.isEmpty ? "unlabelled" : LabelPattern.of($0) })
        let codes = finding.code.map { model[$0] }.filter { !Self.place($0).isEmpty }
        code = Self.distinct(codes.map(Self.place))
        isNameless = !codes.isEmpty && codes.allSatisfy { Self.module(ofNameless: $0) != nil }
    }

    /// The result of a comparison of two findings.
    public enum Match: Sendable {
        case same, different
        /// The code of only one of them has names, so that nothing can be concluded.
        case unknown
    }

    /// Compares two findings.
    ///
    /// Two runs can list different queues for one problem, for example the costliest 4 of 100 similar queues. So the
    /// findings are about the same problem when they share at least one queue or lock (if both have any) and at least
    /// one place in the code (if both have any).
    public func match(_ other: Self) -> Match {
        guard detector == other.detector, Self.overlaps(objects, other.objects) else { return .different }
        if isNameless != other.isNameless, !code.isEmpty, !other.code.isEmpty { return .unknown }
        return Self.overlaps(code, other.code) ? .same : .different
    }

    /// Whether two findings are about the same problem.
    public func isSame(as other: Self) -> Bool { match(other) == .same }

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
    package static func place(_ code: Code) -> String {
        if let module = module(ofNameless: code) { return module }
        let symbol = Demangler.demangled(code.symbol) ?? code.symbol
        return [code.file, symbol].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The module of code that has only a module and an offset; nil for code with a name.
    package static func module(ofNameless code: Code) -> String? {
        guard code.file.isEmpty, let offset = code.symbol.ranges(of: "+0x").last,
            code.symbol[offset.upperBound...].allSatisfy(\.isHexDigit)
        else { return nil }
        return String(code.symbol[..<offset.lowerBound])
    }
}
