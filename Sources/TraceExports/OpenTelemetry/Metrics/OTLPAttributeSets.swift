/// The values of a metric by set of attributes. Equal sets share a value, and the number of sets is limited.
///
/// As the specification of the metrics SDK requires, the sets beyond the limit share one with the attribute
/// `otel.metric.overflow`, so that sums over all sets stay correct.
struct OTLPAttributeSets<Value> {
    /// The default limit of the specification, including the overflow.
    static var limit: Int { 2_000 }
    static var overflow: [OTLPAttribute] { [.flag("otel.metric.overflow", true)] }

    private let initial: Value
    private var positions: [[OTLPAttribute]: Int] = [:]
    private(set) var rows: [(attributes: [OTLPAttribute], value: Value)] = []

    /// - Parameter initial: the value of a new set.
    init(_ initial: Value) { self.initial = initial }

    /// The position of a set in ``rows``. Adds the set if it is new.
    mutating func position(of attributes: [OTLPAttribute]) -> Int {
        if let known = positions[attributes] { return known }
        if rows.count >= Self.limit - 1, attributes != Self.overflow { return position(of: Self.overflow) }
        positions[attributes] = rows.count
        rows.append((attributes, initial))
        return rows.count - 1
    }

    subscript(position: Int) -> Value {
        get { rows[position].value }
        _modify { yield &rows[position].value }
    }
}
