import Glibc

/// The demangler of the C++ runtime, which the Swift runtime requires.
enum CxxDemangler {
    /// The longest symbol that is demangled, in bytes.
    private static let longest = 1 << 14

    /// The readable form of a C++ symbol; nil for other symbols.
    ///
    /// Suffixes of the compiler are kept in parentheses, as in `f(int) (.cold)`.
    static func demangled(_ symbol: String) -> String? {
        guard symbol.hasPrefix("_Z"), symbol.utf8.count <= longest else { return nil }
        let name = symbol.prefix { $0 != "." }
        var status: Int32 = 0
        guard let text = cxaDemangle(String(name), nil, nil, &status) else { return nil }
        defer { free(text) }
        let suffix = symbol[name.endIndex...]
        return String(cString: text) + (suffix.isEmpty ? "" : " (\(suffix))")
    }
}

/// Declared by the C++ ABI (`cxxabi.h`). The result is allocated with `malloc`.
@_silgen_name("__cxa_demangle")
private func cxaDemangle(
    _ name: UnsafePointer<CChar>, _ output: UnsafeMutablePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
    _ status: UnsafeMutablePointer<Int32>
) -> UnsafeMutablePointer<CChar>?
