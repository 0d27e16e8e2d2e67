/// The Swift runtime's own demangler: always there, in any program that has Swift in it.
enum Demangler {
    /// The readable form of a Swift symbol; nil when it is not one.
    static func demangled(_ symbol: String) -> String? {
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

/// Declared by the runtime (`stdlib/public/SwiftShims`, `Demangle.h`): the result is allocated by `malloc`.
@_silgen_name("swift_demangle")
private func swiftDemangle(
    _ name: UnsafePointer<CChar>, _ length: Int, _ output: UnsafeMutablePointer<CChar>?,
    _ outputSize: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?
