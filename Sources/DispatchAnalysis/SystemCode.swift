import DispatchModel

/// Tells the program's own code from that of others: libraries of the system, which nobody who reads the report can
/// change, so that what is wrong in there is worth to know, and no more; and packages that the program was built with,
/// which may be its author's as well.
enum SystemCode {
    /// Functions of libraries that run what the program handed them: the work is the program's own.
    private static let runners = ["OperationQueue._addOperations("]

    /// The file name of the library that code belongs to, such as `libFoundationNetworking.so`; nil for the program's own
    /// code, for that of a library which runs the program's work, and where it is not known.
    static func library(of code: CodeIndex, in model: DispatchModel) -> String? {
        isRunner(code, in: model) ? nil : image(of: code, in: model)
    }

    private static func image(of code: CodeIndex, in model: DispatchModel) -> String? {
        let address = model[code].address
        guard address != 0, let image = model.image(holding: address), image.isOfSystem else { return nil }
        return image.name.map(String.init)
    }

    private static func isRunner(_ code: CodeIndex, in model: DispatchModel) -> Bool {
        runners.contains(where: model[code].symbol.contains)
    }

    /// Remembers which code is a library's: one place in a program makes thousands of queues.
    struct Memo {
        private var isLibrary: [CodeIndex: Bool] = [:]

        /// Whether code is in a library of the system.
        mutating func contains(_ code: CodeIndex, in model: DispatchModel) -> Bool {
            if let known = isLibrary[code] { return known }
            let found = library(of: code, in: model) != nil
            isLibrary[code] = found
            return found
        }
    }

    /// The finding, with its library's name when all its code is in libraries of the system. When all of it is of packages
    /// that SwiftPM fetched, the advice says whose it is and what to do about it. Either way it is no warning: who reads
    /// it can tell others, and has nothing to mend.
    static func judged(_ finding: Finding, in model: DispatchModel) -> Finding {
        // What runs the program's work does other things as well: which, the code beside it tells.
        guard let name = finding.code.lazy.compactMap({ library(of: $0, in: model) }).first,
            finding.code.allSatisfy({ image(of: $0, in: model) != nil })
        else { return inPackage(finding, in: model) }
        var finding = finding
        finding.library = name
        finding.advice =
            "\(name) does this, and this program cannot change it. Have fewer of its operations under way at a time, or "
            + "start them from one queue, where the cost matters."
        finding.severity = severityOfOthers(finding)
        return finding
    }

    /// An error ends the process, whoever made it.
    private static func severityOfOthers(_ finding: Finding) -> Finding.Severity {
        finding.severity == .warning ? .info : finding.severity
    }

    private static func inPackage(_ finding: Finding, in model: DispatchModel) -> Finding {
        let isOthers = finding.code.allSatisfy { model[$0].package != nil || library(of: $0, in: model) != nil }
        guard isOthers, let name = finding.code.lazy.compactMap({ model[$0].package }).first
        else { return finding }
        var finding = finding
        finding.severity = severityOfOthers(finding)
        finding.advice +=
            " This is code of the package \(name): where you cannot change that, have fewer of its operations under "
            + "way at a time, and tell its authors."
        return finding
    }
}
