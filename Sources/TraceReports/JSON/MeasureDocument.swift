import DispatchAnalysis
import DispatchModel

/// A named value of a finding. The first number of the value is a member, such as `duration_ns`. A value without
/// numbers, such as a name, has no such member.
struct MeasureDocument: Encodable {
    let name: NonEmptyText
    /// The value as the text report shows it.
    let value: String
    private var first: QuantityDocument
    /// The other numbers of the value, in the order of the text. Absent if there are none.
    private var further: [QuantityDocument]?

    private enum CodingKeys: String, CodingKey { case name, value, further }

    init(_ measure: Measure) {
        let quantities = measure.value.quantities
        name = measure.name
        value = measure.text
        first = QuantityDocument(quantities.first)
        further = quantities.count > 1 ? quantities.dropFirst().map { QuantityDocument($0) } : nil
    }

    func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encodeIfPresent(further, forKey: .further)
    }

    /// Moves the instants of the value. The text keeps the times of the process.
    mutating func move(by offset: Nanoseconds) {
        first.move(by: offset)
        further = further?.map { quantity in
            var quantity = quantity
            quantity.move(by: offset)
            return quantity
        }
    }
}

/// A number with its unit. At most one of these members is present.
struct QuantityDocument: Encodable {
    /// A number of things.
    private var count: Int?
    /// A length of time.
    private var duration: Nanoseconds?
    /// An instant of the trace.
    private var time: Timestamp?
    /// A part of a whole or a ratio: 1 is 100 %.
    private var share: Double?
    /// A number of things per second.
    private var rate: Double?
    /// An average number of things.
    private var mean: Double?
    /// A size in bytes.
    private var bytes: Int?

    private enum CodingKeys: String, CodingKey {
        case count, share, mean, bytes
        case duration = "duration_ns"
        case time = "time_ns"
        case rate = "per_s"
    }

    /// - Parameter quantity: the number; nil for a value without numbers.
    init(_ quantity: Quantity?) {
        switch quantity {
        case .count(let count): self.count = count
        case .duration(let duration): self.duration = duration
        case .time(let time): self.time = time
        case .share(let share): self.share = share.finite
        case .rate(let rate): self.rate = rate.finite
        case .mean(let mean): self.mean = mean.finite
        case .bytes(let bytes): self.bytes = bytes
        case nil: break
        }
    }

    mutating func move(by offset: Nanoseconds) { time? += offset }
}
