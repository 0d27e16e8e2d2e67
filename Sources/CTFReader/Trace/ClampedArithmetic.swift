extension FixedWidthInteger {
    /// The sum, clamped to the range of the type. A damaged trace may contain any numbers.
    package func clamped(plus other: Self) -> Self {
        let (sum, isOutside) = addingReportingOverflow(other)
        return isOutside ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, clamped to the range of the type. A damaged trace may contain any numbers.
    package func clamped(minus other: Self) -> Self {
        let (difference, isOutside) = subtractingReportingOverflow(other)
        return isOutside ? (other > 0 ? .min : .max) : difference
    }
}
