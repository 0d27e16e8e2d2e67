extension FixedWidthInteger {
    /// The sum, or the number next to it: a damaged trace may count anything.
    package func clamped(plus other: Self) -> Self {
        let (sum, isOutside) = addingReportingOverflow(other)
        return isOutside ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the number next to it: the clock of a damaged trace may show anything.
    package func clamped(minus other: Self) -> Self {
        let (difference, isOutside) = subtractingReportingOverflow(other)
        return isOutside ? (other > 0 ? .min : .max) : difference
    }
}
