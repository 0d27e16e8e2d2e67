import DispatchModel
import ReportText

/// A value that can be a cell of a text table. Its type defines the format.
protocol TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell
}

extension TextTable.Cell: TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell { self }
}

/// A dash for nil.
extension Optional: TextValue where Wrapped: TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell { self?.cell(color) ?? .init("–", color) }
}

/// A count in a text table.
extension Int: TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell { .init(CompactNumber.count(self), color) }
}

extension String: TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell { .init(self, color) }
}

extension Nanoseconds: TextValue {
    func cell(_ color: TextColor) -> TextTable.Cell { .init(CompactNumber.duration(self), color) }
}
