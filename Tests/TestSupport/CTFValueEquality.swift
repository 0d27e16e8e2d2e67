import CTFReader

// Only the tests compare values.
extension CTFValue: Equatable {
    public static func == (left: CTFValue, right: CTFValue) -> Bool {
        switch (left, right) {
        case (.unsigned(let a, let b), .unsigned(let c, let d)): a == c && b == d
        case (.signed(let a, let b), .signed(let c, let d)): a == c && b == d
        case (.enumeration(let a, let b, let c), .enumeration(let d, let e, let f)): a == d && b == e && c == f
        case (.float(let a, let b), .float(let c, let d)): a == c && b == d
        case (.string(let a), .string(let b)): a == b
        case (.structure(let a), .structure(let b)): a.elementsEqual(b) { $0.name == $1.name && $0.value == $1.value }
        case (.array(let a), .array(let b)): a == b
        case (.variant(let a, let b), .variant(let c, let d)): a == c && b == d
        case (.boolean(let a), .boolean(let b)): a == b
        case (.absent, .absent): true
        default: false
        }
    }
}
