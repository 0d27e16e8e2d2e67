/// Collects code sites, call stacks and images, which other events refer to by number.
struct CodeTable: ~Copyable {
    private let model: DispatchModel
    private let functions: (any FunctionKinds)?
    /// By position: what ``DispatchModel/codes`` has when the observers have come this far.
    private(set) var all: [Code] = [.unknown]
    /// By position of the stack, as in ``DispatchModel/stacks``.
    private var frames: [[UInt64]] = [[]]
    private var codeStacks: [CodeIndex: StackIndex] = [:]
    private var codes = IdentifierTable()
    private var last = (number: UInt32(0), code: CodeIndex.unknown)
    private var stacks = IdentifierTable()
    /// By position of a stack of functions that await.
    private var awaitPlaces: [Int: AwaitPlace] = [:]
    private var addresses: [UInt64: CodeIndex] = [:]
    /// Closures that are reached through forwarders, by symbol and the image's first address.
    private var closures: [Closure: CodeIndex] = [:]
    /// By the code of a wait for a lock.
    private var takers: [CodeIndex: CodeIndex] = [:]
    /// By the stack of a blocked thread.
    private var callers: [StackIndex: CodeIndex] = [:]
    private var outermost: [StackIndex: CodeIndex] = [:]
    private var dispatchOnly: [StackIndex: Bool] = [:]
    /// Code of calls whose known callers all take locks only, by the innermost one's return address.
    private var helpers: [UInt64: CodeIndex] = [:]
    /// By return address.
    private var lockHelpers: [UInt64: Bool] = [:]

    init(model: DispatchModel, functions: (any FunctionKinds)?) {
        self.model = model
        self.functions = functions
    }

    /// The code with this number; 0 is unknown code. A number without a definition gets a place for a late one.
    @inline(__always)
    mutating func code(_ number: UInt32) -> CodeIndex {
        if number == last.number { return last.code }
        if number == 0 { return .unknown }
        last = (number, codes[UInt64(number)].map { CodeIndex($0) } ?? add(number))
        return last.code
    }

    @inline(never)
    private mutating func add(_ number: UInt32) -> CodeIndex {
        codes.insert(UInt64(number), all.count)
        return add(.unknown)
    }

    private mutating func add(_ code: Code) -> CodeIndex {
        all.append(code)
        model.change(.code(all.count - 1, code))
        return CodeIndex(all.count - 1)
    }

    subscript(code: CodeIndex) -> Code { all[code.position] }

    mutating func define(_ event: DispatchEvent.CodeSymbol) {
        guard event.code != 0, !isOtherForwarder(event) else { return }
        let index = code(event.code)
        if event.address != 0, addresses[event.address] == nil { addresses[event.address] = index }
        all[index.position] = Code(
            symbol: event.symbol, file: event.file, line: Int(event.line), address: event.address,
            thunk: event.thunk)
        model.change(.code(index.position, all[index.position]))
    }

    private struct Closure: Hashable {
        let symbol: String
        let image: UInt64
    }

    /// Whether code is one more forwarder of a closure that is known: its number then stands for that one's code.
    private mutating func isOtherForwarder(_ event: DispatchEvent.CodeSymbol) -> Bool {
        guard let functions, codes[UInt64(event.code)] == nil else { return false }
        var closure: Closure?
        for address in [event.thunk, event.address] where closure == nil && address != 0 {
            guard let image = model.image(holding: address) else { continue }
            closure = functions.forwardedClosure(address, in: image).map { Closure(symbol: $0, image: image.begin) }
        }
        guard let closure else { return false }
        guard let known = closures[closure] else {
            closures[closure] = code(event.code)
            return false
        }
        codes.insert(UInt64(event.code), known.position)
        if event.address != 0, addresses[event.address] == nil { addresses[event.address] = known }
        return true
    }

    mutating func stack(_ number: UInt32) -> StackIndex {
        if number == 0 { return .none }
        if let known = stacks[UInt64(number)] { return StackIndex(known) }
        stacks.insert(UInt64(number), frames.count)
        frames.append([])
        model.change(.stack(frames.count - 1, []))
        return StackIndex(frames.count - 1)
    }

    mutating func define(_ event: DispatchEvent.Stack) {
        guard event.stack != 0 else { return }
        let index = stack(event.stack)
        frames[index.position] = event.frames
        model.change(.stack(index.position, event.frames))
    }

    /// Where the program awaits: the first function of a stack of functions that await that is not one of Swift's
    /// libraries', and does more than make a continuation, where there is one; and the function that it awaits. Unknown
    /// when there is none. Most tasks await in the same few places.
    mutating func awaitPlace(of stack: StackIndex) -> AwaitPlace {
        guard stack != .none else { return AwaitPlace() }
        if let known = awaitPlaces[stack.position] { return known }
        model.awaitStacks.insert(stack)
        var isKnown = true
        let addresses = frames[stack.position]
        var helper: Int?
        let position = addresses.indices.first { position in
            let address = addresses[position]
            guard let image = model.image(holding: address) else {
                isKnown = false
                return true
            }
            if image.name?.hasPrefix("libswift") == true || functions?.isCopied(address, in: image) == true {
                return false
            }
            guard functions?.makesContinuation(address, in: image) == true else { return true }
            helper = helper ?? position
            return false
        }
        var place = AwaitPlace()
        if let position = position ?? helper {
            place.awaiter = code(at: addresses[position])
            if position > 0 { place.awaited = code(at: addresses[position - 1]) }
        }
        // The image may still become known.
        if isKnown { awaitPlaces[stack.position] = place }
        return place
    }

    /// The code that takes a lock. Where its callers are known, that is the innermost one of the program's that does
    /// more than take locks, and is no copy of one of Swift's: the same for all ways that lead through it.
    mutating func taker(_ number: UInt32) -> CodeIndex {
        let index = code(number)
        if codeStacks.isEmpty { return index }
        guard let stack = codeStacks[index], !frames[stack.position].isEmpty else { return index }
        if let known = takers[index] { return known }
        let frames = frames[stack.position]
        var isKnown = true
        let address = frames.first { address in
            let isHelper = isLockHelper(address)
            isKnown = isKnown && isHelper != nil
            return isHelper != true
        }
        let taker = address.map { code(at: $0) } ?? helper(at: frames[0])
        if codeStacks[taker] == nil { set(stack, of: taker) }
        if isKnown { takers[index] = taker }
        return taker
    }

    /// Of where a thread is blocked, the innermost function that is the program's, and does more than take locks for
    /// others. Unknown when the stack has none.
    ///
    /// - Parameter stack: where the thread is, then return addresses.
    mutating func caller(_ stack: StackIndex) -> CodeIndex {
        guard stack != .none else { return .unknown }
        if let known = callers[stack] { return known }
        var code = CodeIndex.unknown
        var isKnown = true
        for address in frames[stack.position].dropFirst() {
            guard let image = model.image(holding: address &- 1) else {
                isKnown = false
                continue
            }
            if image.isOfSystem || isLockHelper(address) == true { continue }
            if functions?.isCopied(address &- 1, in: image) == true { continue }
            code = self.code(at: address)
            break
        }
        if isKnown { callers[stack] = code }
        return code
    }

    /// Of where a thread is blocked, the outermost function that is the program's: in a Swift job the one that the
    /// runtime called. Unknown when the stack has none.
    ///
    /// - Parameter stack: where the thread is, then return addresses.
    mutating func outermost(_ stack: StackIndex) -> CodeIndex {
        guard stack != .none else { return .unknown }
        if let known = outermost[stack] { return known }
        var code = CodeIndex.unknown
        var isKnown = true
        for address in frames[stack.position].dropFirst() {
            guard let image = model.image(holding: address &- 1) else {
                isKnown = false
                continue
            }
            if code != .unknown, image.name?.hasPrefix("libswift_Concurrency") == true { break }
            if image.isOfSystem || functions?.isCopied(address &- 1, in: image) == true { continue }
            code = self.code(at: address)
        }
        if isKnown { outermost[stack] = code }
        return code
    }

    /// Whether a blocked thread has frames of libdispatch and the C library only. An idle worker has such a stack, and so
    /// has a thread that waits in libdispatch below a function without a frame pointer.
    mutating func isInDispatchOnly(_ stack: StackIndex) -> Bool {
        guard stack != .none else { return false }
        if let known = dispatchOnly[stack] { return known }
        let frames = frames[stack.position]
        let names = frames.map { model.image(holding: $0 &- 1)?.name }
        let isOnly =
            frames.count > 1
            && names.allSatisfy { name in name.map { Self.idleLibraries.contains(where: $0.hasPrefix) } ?? false }
            && names.dropFirst().contains { $0?.hasPrefix(Self.idleLibraries[0]) == true }
        if !names.contains(nil) { dispatchOnly[stack] = isOnly }
        return isOnly
    }

    /// What a thread of libdispatch's that has no work is in.
    private static let idleLibraries = ["libdispatch", "libc.so", "libc-", "libpthread"]

    /// The code of calls whose known callers all take locks only. It is not the address's own code: another call from
    /// there may have a caller that does more.
    private mutating func helper(at address: UInt64) -> CodeIndex {
        if let known = helpers[address] { return known }
        let code = add(address: address)
        helpers[address] = code
        return code
    }

    /// Whether a function takes locks for its callers, and does nothing else, or is the program's copy of one of
    /// Swift's, such as `ManagedBuffer.withUnsafeMutablePointers(_:)`, in which a lock is kept. Nil while its image is
    /// not known.
    ///
    /// - Parameter address: a return address.
    private mutating func isLockHelper(_ address: UInt64) -> Bool? {
        if let known = lockHelpers[address] { return known }
        guard let image = model.image(holding: address &- 1) else { return nil }
        let isHelper =
            functions.map {
                $0.takesLock(address &- 1, in: image)
                    || (!image.isOfSystem && $0.isCopied(address &- 1, in: image))
            } ?? false
        lockHelpers[address] = isHelper
        return isHelper
    }

    private mutating func code(at address: UInt64) -> CodeIndex {
        if let known = addresses[address] { return known }
        let code = add(address: address)
        addresses[address] = code
        return code
    }

    private mutating func add(address: UInt64) -> CodeIndex {
        add(Code(symbol: "", file: "", line: 0, address: address))
    }

    mutating func define(_ event: DispatchEvent.CodeStack) {
        let index = code(event.code)
        if index != .unknown, event.stack != 0 { set(stack(event.stack), of: index) }
    }

    private mutating func set(_ stack: StackIndex, of code: CodeIndex) {
        codeStacks[code] = stack
        model.change(.codeStack(code, stack))
    }

    mutating func define(_ event: DispatchEvent.Image) {
        let image = Image(
            base: event.base, begin: event.begin, end: event.end, buildID: event.buildId, path: event.path)
        if !model.images.contains(image) { model.images.append(image) }
    }
}

/// Where a program awaits.
struct AwaitPlace {
    /// The function that is the program's own.
    var awaiter = CodeIndex.unknown
    /// The function of Swift's libraries that it awaits; unknown where it awaits without one.
    var awaited = CodeIndex.unknown
}
