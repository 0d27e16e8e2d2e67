/// Reads the names of classes from the metadata of the Swift runtime.
///
/// Source: `ABI/Metadata.h` of Swift, for platforms without Objective-C.
enum SwiftTypeName {
    private static let description: UInt64 = 40
    private static let parent: UInt64 = 4
    private static let name: UInt64 = 8
    private static let kindMask: UInt32 = 0x1F
    private static let classKind: UInt32 = 16
    private static let moduleKind: UInt32 = 0
    /// Most types that contain each other.
    private static let deepest = 8

    /// The name of the class of an object, such as `App.Store`; nil when it cannot be read.
    static func ofObject(at address: UInt64, memory: ProcessMemory) -> String? {
        guard address & 7 == 0, let metadata = memory.word(at: address),
            var context = memory.word(at: metadata &+ description),
            let flags: UInt32 = memory.integer(at: context), flags & kindMask == classKind
        else { return nil }
        var names: [String] = []
        for _ in 0..<deepest {
            guard let flags: UInt32 = memory.integer(at: context) else { return nil }
            let kind = flags & kindMask
            // Extensions and functions between the types have no name.
            if kind == moduleKind || kind >= classKind {
                guard let place = relative(context &+ name, memory), let text = memory.text(at: place), isName(text)
                else {
                    return nil
                }
                names.insert(text, at: 0)
            }
            if kind == moduleKind { return names.joined(separator: ".") }
            guard let outer = relative(context &+ parent, memory, isIndirectable: true) else { return nil }
            context = outer
        }
        return nil
    }

    /// The target of a relative pointer. With bit 0 set it points to a pointer.
    private static func relative(_ place: UInt64, _ memory: ProcessMemory, isIndirectable: Bool = false) -> UInt64? {
        guard let distance: Int32 = memory.integer(at: place), distance != 0 else { return nil }
        let target = place &+ UInt64(bitPattern: Int64(distance))
        return isIndirectable && target & 1 != 0 ? memory.word(at: target & ~1) : target
    }

    private static func isName(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy { !$0.isNewline } }
}
