/// Recognizes functions that only take a lock for their callers, by their names in Swift, C and C++.
enum LockFunctions {
    /// Substrings of the names in question. Other symbols are rejected without demangling.
    private static let marks = ["ock", "utex", "acquire", "synchronized"].map { Array($0.utf8) }

    /// Whether a symbol (UTF-8) can be the symbol of such a function.
    static func mayContain(_ symbol: UnsafeRawBufferPointer) -> Bool {
        for (position, byte) in symbol.enumerated() {
            for mark in marks where mark.last == byte && position + 1 >= mark.count {
                if symbol[(position + 1 - mark.count)...position].elementsEqual(mark) { return true }
            }
        }
        return false
    }

    private static let swiftNames: Set = [
        "withLock", "withLockVoid", "withLockUnchecked", "withLockIfAvailable", "withLockedValue",
        "withCriticalRegion", "withCriticalSection",
    ]

    /// Only as methods of a type that is a lock by its name, or without a type: `ConnectionPool.acquire()` does more
    /// than take a lock.
    private static let verbs: Set = ["lock", "tryLock", "acquire", "synchronized", "locked"]
    private static let types = ["lock", "mutex", "protected", "synchronized"]

    /// Modules of locks and of lock-protected values.
    private static let modules: Set = ["NIOConcurrencyHelpers", "ConcurrencyHelpers", "Synchronization"]

    /// Suffixes of the names of C functions, such as `sqlite3_mutex_enter` and `pthreadMutexEnter`.
    private static let ends = ["mutex_lock", "mutex_enter", "mutexenter", "mutexlock", "spin_lock"]

    /// Prefixes of the mangled names of C++ members, after the namespace `std`.
    private static let cxxMembers = [
        "5mutex4lock", "11timed_mutex4lock", "15recursive_mutex4lock", "10lock_guardI", "11unique_lockI",
        "11scoped_lockI", "11shared_lockI",
    ]

    /// Whether the symbol is the symbol of such a function. Swift and C++ symbols are mangled.
    static func contains(_ symbol: String) -> Bool {
        if let name = Demangler.demangled(symbol) {
            if SymbolText.module(of: name).map(modules.contains) == true { return true }
            // A closure inside of such a function is part of it. A closure that is passed to it belongs to the caller.
            let path = SymbolText.path(of: name)
            guard let name = path.last else { return false }
            guard verbs.contains(name) else { return swiftNames.contains(name) }
            guard path.count > 1 else { return true }
            let type = path[path.count - 2].lowercased()
            return types.contains(where: type.has)
        }
        for namespace in ["_ZNSt3__1", "_ZNSt"] where symbol.hasPrefix(namespace) {
            return cxxMembers.contains(where: symbol.dropFirst(namespace.count).hasPrefix)
        }
        if symbol.hasPrefix("_Z") { return symbol.has("__gthread_mutex_lock") }
        // Remove suffixes that the compiler appends to clones.
        let name = symbol.prefix { $0 != "." }.lowercased()
        return ends.contains(where: name.hasSuffix)
    }
}
