/// The demangler of the Swift runtime, which every program with Swift code contains.
package enum Demangler {
    /// The readable form of a Swift symbol; nil for other symbols.
    package static func demangled(_ symbol: String) -> String? {
        guard symbol.hasPrefix("$s") || symbol.hasPrefix("$S") || symbol.hasPrefix("_$s") || symbol.hasPrefix("_T")
        else { return nil }
        guard let text = swiftDemangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
        defer { free(text) }
        let result = String(cString: text)
        return result == symbol ? nil : result
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Declared by the Swift runtime (`stdlib/public/SwiftShims`, `Demangle.h`). The result is allocated with `malloc`.
@_silgen_name("swift_demangle")
private func swiftDemangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ output: UnsafeMutablePointer<CChar>?,
    _ outputSize: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
