/// Collects codes, call stacks and images, to which other events refer by number.
struct CodeTable: ~Copyable {
    private let model: DispatchModel
    private let functions: (any FunctionKinds)?
    /// The codes by position: the content that ``DispatchModel/codes`` has once the observers have caught up.
    private(set) var all: [Code] = [.unknown]
    /// By position of the stack, as in ``DispatchModel/stacks``.
    private var frames: [[UInt64]] = [[]]
    private var codeStacks: [CodeIndex: StackIndex] = [:]
    private var codes = IdentifierTable()
    private var last = (number: UInt32(0), code: CodeIndex.unknown)
    private var stacks = IdentifierTable()
    /// By position of an async call stack.
    private var awaitPlaces: [Int: AwaitPlace] = [:]
    private var addresses: [UInt64: CodeIndex] = [:]
    /// Closures that are called through forwarding functions, by symbol and first address of the image.
    private var closures: [Closure: CodeIndex] = [:]
    /// By the code of the lock request.
    private var lockRequesters: [CodeIndex: CodeIndex] = [:]
    /// By the stack of a blocked thread.
    private var callers: [StackIndex: CodeIndex] = [:]
    private var outermost: [StackIndex: CodeIndex] = [:]
    private var dispatchOnly: [StackIndex: Bool] = [:]
    /// Codes of lock requests whose recorded callers all only take locks, by the innermost return address.
    private var helpers: [UInt64: CodeIndex] = [:]
    /// By return address.
    private var lockHelpers: [UInt64: Bool] = [:]

    init(model: DispatchModel, functions: (any FunctionKinds)?) {
        self.model = model
        self.functions = functions
    }

    /// The code with this number; 0 is unknown code. A number without a definition gets a position, because its
    /// definition can follow.
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

    /// Whether the code is another forwarding function of a known closure. Its number then maps to the code of the
    /// first one.
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

    /// The place where the program awaits, from an async call stack: the first function outside of Swift's libraries,
    /// preferably a function that does more than create a continuation, and the function that it awaits. Unknown when
    /// there is none. Results are cached, because most tasks await in the same few places.
    mutating func awaitPlace(of stack: StackIndex, for kind: AwaitKind) -> AwaitPlace {
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
            if kind == .continuation { model.continuationAwaiters.insert(place.awaiter) }
        }
        // Do not cache the result while an image is unknown, because it can be defined later.
        if isKnown { awaitPlaces[stack.position] = place }
        return place
    }

    /// The code that requests a lock. If its callers were recorded, it is the innermost function that does more than
    /// take locks. Specialised copies of library functions of Swift and protocol witnesses of libraries do not count.
    /// All call stacks through that function share one code.
    mutating func lockRequester(_ number: UInt32) -> CodeIndex {
        let index = code(number)
        if codeStacks.isEmpty { return index }
        guard let stack = codeStacks[index], !frames[stack.position].isEmpty else { return index }
        if let known = lockRequesters[index] { return known }
        let frames = frames[stack.position]
        var isKnown = true
        let position = frames.indices.first { position in
            let isHelper = isLockHelper(frames[position])
            isKnown = isKnown && isHelper != nil
            return isHelper != true && !isWitness(position, in: frames)
        }
        let lockRequester = position.map { code(at: frames[$0]) } ?? helper(at: frames[0])
        if codeStacks[lockRequester] == nil { set(stack, of: lockRequester) }
        if isKnown { lockRequesters[index] = lockRequester }
        return lockRequester
    }

    /// The innermost function of the program in the stack of a blocked thread, except functions that only take locks
    /// for their callers. Unknown when the stack has none.
    ///
    /// - Parameter stack: the current address of the thread, followed by return addresses.
    mutating func caller(_ stack: StackIndex) -> CodeIndex {
        guard stack != .none else { return .unknown }
        if let known = callers[stack] { return known }
        let caller = programFunction(in: stack, isOutermost: false)
        if caller.isKnown { callers[stack] = caller.code }
        return caller.code
    }

    /// The outermost function of the program in the stack of a blocked thread. In a Swift job, the function that the
    /// runtime called. Unknown when the stack has none.
    ///
    /// - Parameter stack: the current address of the thread, followed by return addresses.
    mutating func outermost(_ stack: StackIndex) -> CodeIndex {
        guard stack != .none else { return .unknown }
        if let known = outermost[stack] { return known }
        let function = programFunction(in: stack, isOutermost: true)
        if function.isKnown { outermost[stack] = function.code }
        return function.code
    }

    /// The function that ``caller(_:)`` or ``outermost(_:)`` returns. It is not known yet while the image of a searched
    /// frame is unknown, because the image can be defined later.
    private mutating func programFunction(
        in stack: StackIndex, isOutermost: Bool
    ) -> (code: CodeIndex, isKnown: Bool) {
        var code = CodeIndex.unknown
        var isKnown = true
        for address in frames[stack.position].dropFirst() {
            guard let image = model.image(holding: address &- 1) else {
                isKnown = false
                continue
            }
            if code != .unknown, image.name?.hasPrefix("libswift_Concurrency") == true { break }
            if image.isOfSystem || functions?.isCopied(address &- 1, in: image) == true { continue }
            if !isOutermost, isLockHelper(address) == true { continue }
            code = self.code(at: address)
            if !isOutermost { break }
        }
        return (code, isKnown)
    }

    /// The library function that the innermost function of the program called. Unknown when the stack has no frame of
    /// the program, or when the program made the system call itself.
    ///
    /// - Parameter stack: the current address of a blocked thread, followed by return addresses.
    mutating func called(_ stack: StackIndex) -> CodeIndex {
        let frames = frames[stack.position]
        let program = frames.indices.dropFirst(2).first { model.image(holding: frames[$0] &- 1)?.isOfSystem == false }
        guard let program, let library = model.image(holding: frames[program - 1] &- 1), library.isOfSystem else {
            return .unknown
        }
        return code(at: frames[program - 1])
    }

    /// Whether a blocked thread has frames of libdispatch and the C library only. An idle worker has such a stack, and
    /// so has a thread that waits in libdispatch below a function without a frame pointer.
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

    /// Whether a thread is blocked in libdispatch, and its stack has no frame of the program. Unlike in
    /// ``isInDispatchOnly(_:)``, the outer frames may be the preloaded recorder's, which begins each worker. A frame of
    /// the recorder next to the C library's frames is a call of the program.
    func isParked(_ stack: StackIndex) -> Bool {
        let names = frames[stack.position].map { model.image(holding: $0 &- 1)?.name ?? "" }
        let callers = names.drop { name in Self.idleLibraries.dropFirst().contains { name.hasPrefix($0) } }
        return callers.first?.hasPrefix(Self.idleLibraries[0]) == true
            && callers.allSatisfy { name in
                (Self.idleLibraries + ["libqueuescope_preload"]).contains { name.hasPrefix($0) }
            }
    }

    /// Libraries in the stack of an idle thread of libdispatch.
    private static let idleLibraries = ["libdispatch", "libc.so", "libc-", "libpthread"]

    /// The code of lock requests whose recorded callers all only take locks. It is separate from the code of the
    /// address, because another request from there can have a caller that does more.
    private mutating func helper(at address: UInt64) -> CodeIndex {
        if let known = helpers[address] { return known }
        let code = add(address: address)
        helpers[address] = code
        return code
    }

    /// Whether a function only takes locks for its callers, or is the program's copy of a library function of Swift,
    /// such as `ManagedBuffer.withUnsafeMutablePointers(_:)`, that wraps a lock. Nil while its image is unknown.
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

    /// Whether a frame is a protocol witness of a system library, such as the one of `NSLocking` for `NSLock`, that the
    /// program called.
    private func isWitness(_ position: Int, in frames: [UInt64]) -> Bool {
        guard position + 1 < frames.count, let image = model.image(holding: frames[position] &- 1), image.isOfSystem,
            model.image(holding: frames[position + 1] &- 1)?.isOfSystem == false
        else { return false }
        return functions?.isWitness(frames[position] &- 1, in: image) == true
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

/// The place of an await in the program.
struct AwaitPlace {
    /// The awaiting function of the program.
    var awaiter = CodeIndex.unknown
    /// The awaited function of Swift's libraries; unknown when there is none.
    var awaited = CodeIndex.unknown
}
