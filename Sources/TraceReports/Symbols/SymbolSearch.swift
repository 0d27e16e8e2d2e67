import DispatchModel
import FoundationEssentials

/// Looks up addresses of a recorded process with `llvm-symbolizer`, and records the images that it cannot use.
struct SymbolSearch {
    /// A function at an address. An address has several, innermost first, when functions were inlined.
    struct Place {
        /// The symbol. Swift symbols are mangled.
        let function: String
        /// The path of the source file. File and line are nil when unknown.
        let file: String?
        let line: Int?
    }

    private let tool: SymbolizerTool
    private let images: SymbolTable
    private var found: [UInt64: [Place]] = [:]
    private var isAsked: Set<UInt64> = []
    private var refusals: [String: ImageFile.Refusal?] = [:]

    init(tool: SymbolizerTool, images: SymbolTable) {
        self.tool = tool
        self.images = images
    }

    /// The functions at an address that was looked up; empty when unknown.
    func places(at address: UInt64) -> [Place] { found[address] ?? [] }

    /// The image that contains an address, if its file is the recorded file.
    mutating func readableImage(holding address: UInt64) -> Image? {
        guard let image = images.image(holding: address), address > image.base, refusal(of: image) == nil else {
            return nil
        }
        return image
    }

    /// The reason why the file of an image cannot be used; nil when it can be used.
    mutating func refusal(of image: Image) -> ImageFile.Refusal? {
        if let known = refusals[image.path] { return known }
        let refusal = ImageFile.refusal(of: image)
        refusals[image.path] = .some(refusal)
        return refusal
    }

    /// The input line that asks the tool about an address; nil when no usable image contains the address.
    mutating func question(about address: UInt64) -> String? {
        readableImage(holding: address).map {
            "CODE \"\($0.path)\" 0x\(String(address &- $0.base, radix: 16))\n"
        }
    }

    /// Looks up the addresses that were not looked up before.
    mutating func lookUp(_ addresses: some Sequence<UInt64>) {
        var asked: [UInt64] = []
        var questions: [String] = []
        for address in Set(addresses).subtracting(isAsked).sorted() {
            guard let question = question(about: address) else { continue }
            isAsked.insert(address)
            asked.append(address)
            questions.append(question)
        }
        for (address, line) in zip(asked, tool.ask(questions)) {
            guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(line)) else { continue }
            found[address] = answer.places
        }
    }

    /// The answer of the tool for one address.
    private struct Answer: Decodable {
        struct Location: Decodable {
            let function: String
            let file: String
            let line: Int
            /// The place where the function is declared, and its first address.
            let startFile: String?
            let startLine: Int?
            let startAddress: String?

            enum CodingKeys: String, CodingKey {
                case function = "FunctionName"
                case file = "FileName"
                case line = "Line"
                case startFile = "StartFileName"
                case startLine = "StartLine"
                case startAddress = "StartAddress"
            }
        }
        let address: String?
        let locations: [Location]?

        enum CodingKeys: String, CodingKey {
            case address = "Address"
            case locations = "Symbol"
        }

        /// Whether a mangled name is of the part of an async function behind an `await`: `TQ` or `TY`, then the number of
        /// the await, as in `$s3App6handleyyYaFTY2_`.
        ///
        /// Source: the operators of async resume functions in Swift's `docs/ABI/Mangling.rst`.
        private static func isAfterAwait(_ name: String) -> Bool {
            guard name.hasSuffix("_") else { return false }
            let rest = name.dropLast().reversed().drop { $0.isNumber }
            return rest.starts(with: "QT") || rest.starts(with: "YT")
        }

        var places: [Place] {
            (locations ?? []).compactMap { location in
                guard !location.function.isEmpty, location.function != "??" else { return nil }
                // Compiler-generated code has a name in angle brackets instead of a file. A file without a line comes
                // from the symbol table, which names object files.
                var (file, line) = (location.file, location.line)
                // The first instruction may belong to a function that was inlined there, and the answer does not report
                // that. The first instruction after an `await` does belong to the await, whose line is wanted.
                let isFirst = address == location.startAddress && !Self.isAfterAwait(location.function)
                if isFirst, let start = location.startLine, start > 0 {
                    (file, line) = (location.startFile ?? file, start)
                }
                let hasFile = !file.isEmpty && !file.hasSuffix(">") && line > 0
                return Place(function: location.function, file: hasFile ? file : nil, line: hasFile ? line : nil)
            }
        }
    }
}
