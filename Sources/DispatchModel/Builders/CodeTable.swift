/// Collects code sites, call stacks and images, which other events refer to by number.
struct CodeTable: ~Copyable {
    private let model: DispatchModel
    private var codes = IdentifierTable()
    private var stacks = IdentifierTable()
    /// By position of a stack of functions that await.
    private var awaiters: [Int: CodeIndex] = [:]
    private var addresses: [UInt64: CodeIndex] = [:]

    init(model: DispatchModel) { self.model = model }

    /// The code with this number; 0 is unknown code. A number without a definition gets a place for a late one.
    @inline(__always)
    mutating func code(_ number: UInt32) -> CodeIndex {
        if number == 0 { return .unknown }
        if let known = codes[UInt64(number)] { return CodeIndex(known) }
        return add(number)
    }

    @inline(never)
    private mutating func add(_ number: UInt32) -> CodeIndex {
        codes.insert(UInt64(number), model.codes.count)
        model.codes.append(.unknown)
        return CodeIndex(model.codes.count - 1)
    }

    mutating func define(_ event: DispatchEvent.CodeSymbol) {
        guard event.code != 0 else { return }
        let index = code(event.code)
        if event.address != 0 { addresses[event.address] = index }
        model.codes[index.position] = Code(
            symbol: event.symbol, file: event.file, line: Int(event.line), address: event.address,
            thunk: event.thunk)
    }

    mutating func stack(_ number: UInt32) -> StackIndex {
        if number == 0 { return .none }
        if let known = stacks[UInt64(number)] { return StackIndex(known) }
        stacks.insert(UInt64(number), model.stacks.count)
        model.stacks.append([])
        return StackIndex(model.stacks.count - 1)
    }

    mutating func define(_ event: DispatchEvent.Stack) {
        guard event.stack != 0 else { return }
        let index = stack(event.stack)
        model.stacks[index.position] = event.frames
    }

    /// The first function of a stack of functions that await that is not in a library of Swift's: where the program
    /// awaits. Unknown when there is none. Most tasks await in the same few places.
    mutating func awaiter(of stack: StackIndex) -> CodeIndex {
        guard stack != .none else { return .unknown }
        if let known = awaiters[stack.position] { return known }
        let address = model.stacks[stack.position].first { address in
            let image = model.images.first { $0.begin <= address && address < $0.end }
            return image?.path.split(separator: "/").last?.hasPrefix("libswift") != true
        }
        var code = CodeIndex.unknown
        if let address { code = self.code(at: address) }
        awaiters[stack.position] = code
        return code
    }

    private mutating func code(at address: UInt64) -> CodeIndex {
        if let known = addresses[address] { return known }
        let code = CodeIndex(model.codes.count)
        model.codes.append(Code(symbol: "", file: "", line: 0, address: address))
        addresses[address] = code
        return code
    }

    mutating func define(_ event: DispatchEvent.CodeStack) {
        let index = code(event.code)
        if index != .unknown, event.stack != 0 { model.codeStacks[index] = stack(event.stack) }
    }

    mutating func define(_ event: DispatchEvent.Image) {
        let image = Image(
            base: event.base, begin: event.begin, end: event.end, buildID: event.buildId, path: event.path)
        if !model.images.contains(image) { model.images.append(image) }
    }
}
