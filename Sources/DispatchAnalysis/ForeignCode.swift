import DispatchModel

/// Tells findings in the program's own code from those in libraries of the system, which nobody who reads the report can
/// change: they are worth to know, and no more.
struct ForeignCode {
    /// What comes with Swift and the C library, by the beginnings of their file names.
    private static let libraries = [
        "libFoundation", "lib_Foundation", "libswift", "libdispatch", "libBlocksRuntime", "libcurl", "libc.so",
        "libstdc++", "libpthread",
    ]

    private let model: DispatchModel

    init(model: DispatchModel) { self.model = model }

    /// The finding, with its library's name when all its code is in libraries of the system.
    func judged(_ finding: Finding) -> Finding {
        let names = finding.code.map(library)
        guard let first = names.first, let name = first, !names.contains(nil) else { return finding }
        var finding = finding
        finding.library = name
        // An error ends the process, whoever made it.
        if finding.severity == .warning { finding.severity = .info }
        return finding
    }

    private func library(of code: CodeIndex) -> String? {
        let address = model[code].address
        guard address != 0, let image = model.images.first(where: { $0.begin <= address && address < $0.end }),
            let name = image.path.split(separator: "/").last.map(String.init)
        else { return nil }
        return Self.libraries.contains(where: name.hasPrefix) ? name : nil
    }
}
