/// The variant of the service. Both variants answer the same requests with the same bytes.
enum Variant: String, CaseIterable, Sendable {
    /// A typical service without tuning: a queue for each part, small items everywhere, configuration after activation.
    case before
    /// The same service after the advice of its report was followed.
    case after
}
