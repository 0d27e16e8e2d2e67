import DispatchModel

/// Distinguishes the program's own code from other code. A reader of the report cannot change system libraries, so
/// problems in them are notes. Packages that the program was built with may also belong to other authors.
enum SystemCode {
    /// Library functions that run work of the program.
    private static let runners = ["OperationQueue._addOperations("]

    /// The file name of the system library of a code, such as `libFoundationNetworking.so`; nil for the program's own
    /// code, for library code that runs the program's work, and for unknown code.
    static func library(of code: CodeIndex, in model: DispatchModel) -> String? {
        // The image decides for most code. The search in the name takes tens of thousands of instructions.
        image(of: code, in: model).flatMap { isRunner(code, in: model) ? nil : $0 }
    }

    /// Functions of packages in which the threads of a pool wait for work: NIOThreadPool, on a semaphore.
    private static let pools = ["NIOThreadPool.process(", "NIOThreadPool._start("]

    /// Whether a thread that waits in a code waits for work: in a system library, or in a thread pool of a package.
    static func waitsForWork(in code: CodeIndex, _ model: DispatchModel) -> Bool {
        library(of: code, in: model) != nil || pools.contains(where: model[code].symbol.contains)
    }

    private static func image(of code: CodeIndex, in model: DispatchModel) -> String? {
        let address = model[code].address
        guard address != 0, let image = model.image(holding: address), image.isOfSystem else { return nil }
        return image.name.map(String.init)
    }

    private static func isRunner(_ code: CodeIndex, in model: DispatchModel) -> Bool {
        runners.contains(where: model[code].symbol.contains)
    }

    /// Caches whether code is in a system library: one place in a program creates thousands of queues.
    struct Memo {
        private var isLibrary: [CodeIndex: Bool] = [:]

        /// Whether code is in a system library.
        mutating func contains(_ code: CodeIndex, in model: DispatchModel) -> Bool {
            if let known = isLibrary[code] { return known }
            let found = library(of: code, in: model) != nil
            isLibrary[code] = found
            return found
        }
    }

    /// Returns the finding with the name of its library if all its code is in system libraries. If all its code is in
    /// packages that SwiftPM fetched, the advice names the package and the remedy. In both cases the finding is at most
    /// a note unless it is an error, because the reader cannot change the code.
    static func judged(_ finding: Finding, in model: DispatchModel) -> Finding {
        // A runner function also does other work. The other code of the finding identifies the library.
        guard let name = finding.code.lazy.compactMap({ library(of: $0, in: model) }).first,
            finding.code.allSatisfy({ image(of: $0, in: model) != nil })
        else { return inPackage(finding, in: model) }
        var finding = finding
        finding.library = name
        finding.advice = Advice(
            .useLibraryLess, "\(name, .library) does this, and this program cannot change it. If the cost matters, ",
            "start fewer of its operations at a time, or start them from one queue.")
        finding.severity = severityOfOthers(finding)
        return finding
    }

    /// An error remains an error, because it ends the process.
    private static func severityOfOthers(_ finding: Finding) -> Finding.Severity {
        finding.severity == .warning ? .info : finding.severity
    }

    private static func inPackage(_ finding: Finding, in model: DispatchModel) -> Finding {
        let isOthers = finding.code.allSatisfy { model[$0].package != nil || library(of: $0, in: model) != nil }
        guard isOthers, let name = finding.code.lazy.compactMap({ model[$0].package }).first
        else { return finding }
        var finding = finding
        finding.severity = severityOfOthers(finding)
        finding.advice = finding.advice.adding(
            "This is code of the package \(name, .library): if you cannot change it, start fewer of its operations at ",
            "a time, and report the problem to its authors.")
        return finding
    }
}
