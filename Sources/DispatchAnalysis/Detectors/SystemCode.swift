import DispatchModel

/// Tells the code of the libraries that come with Swift from the program's own: what is wrong in there is true, but
/// the program cannot change it.
enum SystemCode {
    /// The library that code belongs to, such as `FoundationNetworking`; nil for the program's own code and where it is
    /// not known.
    static func library(of code: CodeIndex, in model: DispatchModel) -> String? {
        let code = model[code]
        guard code.address != 0,
            let image = model.images.last(where: { $0.begin <= code.address && code.address < $0.end })
        else { return nil }
        return library(path: image.path)
    }

    private static func library(path: String) -> String? {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        guard file.hasPrefix("lib"), let end = file.firstRange(of: ".so")?.lowerBound else { return nil }
        let name = String(file[file.index(file.startIndex, offsetBy: 3)..<end])
        let isSwifts = name.hasPrefix("Foundation") || name.hasPrefix("_Foundation") || name.hasPrefix("swift")
        return isSwifts || name == "dispatch" || name == "XCTest" ? name : nil
    }
}
