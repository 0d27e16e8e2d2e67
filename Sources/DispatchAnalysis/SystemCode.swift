import DispatchModel

/// Tells the program's own code from that of libraries of the system, which nobody who reads the report can change: what
/// is wrong in there is true and worth to know, and no more.
enum SystemCode {
    /// The file name of the library that code belongs to, such as `libFoundationNetworking.so`; nil for the program's own
    /// code and where it is not known.
    static func library(of code: CodeIndex, in model: DispatchModel) -> String? {
        let address = model[code].address
        guard address != 0, let image = model.images.first(where: { $0.begin <= address && address < $0.end }),
            image.isOfSystem
        else { return nil }
        return image.name.map(String.init)
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

    /// The finding, with its library's name when all its code is in libraries of the system; then it is no warning.
    static func judged(_ finding: Finding, in model: DispatchModel) -> Finding {
        let names = finding.code.map { library(of: $0, in: model) }
        guard let first = names.first, let name = first, !names.contains(nil) else { return finding }
        var finding = finding
        finding.library = name
        finding.advice =
            "\(name) does this, and this program cannot change it. Have fewer of its operations under way at a time, or "
            + "start them from one queue, where the cost matters."
        // An error ends the process, whoever made it.
        if finding.severity == .warning { finding.severity = .info }
        return finding
    }
}
