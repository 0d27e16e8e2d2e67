import Testing

@testable import DispatchAnalysis
@testable import DispatchModel

@Suite struct SystemCodeTests {
    private let model: DispatchModel = {
        let model = DispatchModel()
        model.images = [
            Image(base: 0, begin: 0x1000, end: 0x2000, buildID: "", path: "/srv/News"),
            Image(
                base: 0, begin: 0x5000, end: 0x6000, buildID: "",
                path: "/usr/lib/swift/linux/libFoundationNetworking.so"),
        ]
        for address in [0x1500, 0x5500, 0x5600, 0] as [UInt64] {
            model.codes.append(Code(symbol: "f", file: "", line: 0, address: address))
        }
        for package in ["swift-nio", "async-http-client"] {
            model.codes.append(Code(symbol: "g", file: "", line: 0, address: 0x1600, package: package))
        }
        let operation = "closure #1 in OperationQueue._addOperations(_:barrier:)"
        model.codes.append(Code(symbol: operation, file: "", line: 0, address: 0x5700))
        return model
    }()

    /// A finding in the codes at these positions: 1 belongs to the program, 2 and 3 to Foundation, 4 has no address, 5
    /// belongs to swift-nio and 6 to async-http-client. 7 is a function of Foundation that runs an operation of the
    /// program.
    private func judged(_ codes: [Int], _ severity: Finding.Severity = .warning) -> Finding {
        SystemCode.judged(
            Finding(
                detector: "d", severity: severity, summary: "s", queues: [], begin: .zero, end: .zero, cost: .zero,
                occurrences: 1, measures: [], evidence: [], code: codes.map { CodeIndex($0) },
                advice: Advice(.nothing, "a")), in: model)
    }

    @Test("A finding in a system library alone names the library, and is no warning")
    func foreign() {
        #expect(judged([2, 3]).library == "libFoundationNetworking.so")
        #expect(judged([2, 3]).severity == .info)
        #expect(judged([2], .error).severity == .error)
        #expect(
            judged([2, 3]).advice.text.hasPrefix(
                "libFoundationNetworking.so does this, and this program cannot change it."))
        #expect(judged([7, 2]).library == "libFoundationNetworking.so")
    }

    @Test(
        "A finding with code of the program does not change",
        arguments: [[1], [2, 1], [4], [2, 4], [7], []])
    func own(codes: [Int]) {
        #expect(judged(codes).library == nil)
        #expect(judged(codes).severity == .warning)
    }

    @Test(
        "A finding in code of packages names the first package, and is no warning",
        arguments: [[5], [5, 6], [5, 2], [2, 5]])
    func fetched(codes: [Int]) {
        #expect(judged(codes).library == nil && judged(codes).severity == .info)
        #expect(judged(codes, .error).severity == .error)
        #expect(judged(codes).advice.text.hasPrefix("a This is code of the package swift-nio: "))
    }

    @Test("A finding with code of packages and other code does not change", arguments: [[5, 1], [5, 4]])
    func mixed(codes: [Int]) {
        #expect(judged(codes).advice.text == "a")
        #expect(judged(codes).severity == .warning)
    }
}
