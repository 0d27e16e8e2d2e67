import DispatchModel

/// Looks up addresses of a recorded process, each once.
package struct SymbolSearch {
    /// A function at an address. An address has several, innermost first, when functions were inlined.
    struct Place: Hashable {
        /// The symbol. Swift symbols are mangled.
        let function: String
        /// The path of the source file. File and line are nil when unknown.
        let file: String?
        let line: Int?

        /// The same place with the demangled name of a C++ function.
        var readable: Self {
            CxxDemangler.demangled(function).map { Self(function: $0, file: file, line: line) } ?? self
        }
    }

    /// The mappings of one file at one address.
    private struct Group: Hashable {
        let base: UInt64
        let key: SymbolSources.Key
    }

    private let sources: SymbolSources
    private let images: SymbolTable
    private var found: [UInt64: [Place]] = [:]
    private var isAsked: Set<UInt64> = []

    package init(sources: SymbolSources, images: SymbolTable) {
        self.sources = sources
        self.images = images
    }

    /// The functions at an address that was looked up; empty when unknown.
    func places(at address: UInt64) -> [Place] { found[address] ?? [] }

    /// The image that contains an address, if there is a source for it.
    func readableImage(holding address: UInt64) -> Image? {
        guard let image = images.image(holding: address), address > image.base, refusal(of: image) == nil else {
            return nil
        }
        return image
    }

    /// The reason why nothing can be looked up in an image; nil when there is a source.
    func refusal(of image: Image) -> SymbolSources.Refusal? { sources.refusal(of: image) }

    /// Looks up functions of an image by their names. The addresses of the result are addresses in the file.
    func functions(named names: Set<String>, in image: Image) -> [String: ELFFile.Symbol] {
        sources.functions(named: names, in: image)
    }

    /// Looks up the addresses that were not looked up before.
    mutating func lookUp(_ addresses: some Sequence<UInt64>) {
        var groups: [Group: (image: Image, addresses: [UInt64])] = [:]
        for address in Set(addresses).subtracting(isAsked).sorted() {
            isAsked.insert(address)
            guard let image = readableImage(holding: address) else { continue }
            groups[Group(base: image.base, key: .init(image)), default: (image, [])].addresses.append(address)
        }
        for (image, addresses) in groups.values {
            let places = sources.places(at: addresses.map { $0 &- image.base }, in: image)
            for (address, places) in zip(addresses, places) where !places.isEmpty { found[address] = places }
        }
    }
}
