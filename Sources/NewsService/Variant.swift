/// Which of the two services runs. Both answer the same requests with the same bytes.
enum Variant: String, CaseIterable, Sendable {
    /// As services grow: a queue for everything, small blocks everywhere, set-up after activation.
    case before
    /// The same service after its report was read.
    case after
}
