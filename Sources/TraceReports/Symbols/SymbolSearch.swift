import DispatchModel
import FoundationEssentials

/// What `llvm-symbolizer` says about addresses of a recorded process, and which images it could not look into.
struct SymbolSearch {
    /// A function at an address; several where functions were inlined, innermost first.
    struct Place {
        /// Mangled where it is Swift's.
        let function: String
        /// Path of the source file; nil when unknown, as is the line then.
        let file: String?
        let line: Int?
    }

    private let tool: SymbolizerTool
    private let images: SymbolTable
    private var found: [UInt64: [Place]] = [:]
    private var isAsked: Set<UInt64> = []
    private var judged: [String: ImageFile.Refusal?] = [:]

    init(tool: SymbolizerTool, images: SymbolTable) {
        self.tool = tool
        self.images = images
    }

    /// What is at an address that was looked up; empty when nothing is known.
    func places(at address: UInt64) -> [Place] { found[address] ?? [] }

    /// The image that holds an address, when its file is the one that was recorded.
    mutating func readableImage(holding address: UInt64) -> Image? {
        guard let image = images.image(holding: address), address > image.base, refusal(of: image) == nil else {
            return nil
        }
        return image
    }

    /// Why an image tells nothing; nil when its file can be looked into.
    mutating func refusal(of image: Image) -> ImageFile.Refusal? {
        if let known = judged[image.path] { return known }
        let refusal = ImageFile.refusal(of: image)
        judged[image.path] = .some(refusal)
        return refusal
    }

    /// How the tool is asked about an address; nil where no image tells of it.
    mutating func question(about address: UInt64) -> String? {
        readableImage(holding: address).map {
            "CODE \"\($0.path)\" 0x\(String(address &- $0.base, radix: 16))\n"
        }
    }

    /// Looks up addresses that were not looked up before.
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

    /// The tool's answer to one address.
    private struct Answer: Decodable {
        struct Location: Decodable {
            let function: String
            let file: String
            let line: Int
            /// Where the function is declared, and its first address.
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
                // Code that the compiler made up has a name in place of a file, in angle brackets. A file without a
                // line comes from the symbol table, which names object files.
                var (file, line) = (location.file, location.line)
                // The first instruction may belong to a function that was inlined there, and the answer does not report
                // that. The first instruction after an `await` does belong to the await, whose line is wanted.
                if address == location.startAddress, !Self.isAfterAwait(location.function), let start = location.startLine, start > 0 {
                    (file, line) = (location.startFile ?? file, start)
                }
                let hasFile = !file.isEmpty && !file.hasSuffix(">") && line > 0
                return Place(function: location.function, file: hasFile ? file : nil, line: hasFile ? line : nil)
            }
        }
    }
}
