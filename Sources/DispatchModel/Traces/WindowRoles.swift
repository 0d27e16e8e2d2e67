import CTFReader
import TraceSchema

extension WindowRole {
    /// How a window of a trace uses the events of a class.
    ///
    /// - Parameters:
    ///   - use: the use that the catalogue declares for the class.
    ///   - item: the position of the field `item` in the records of the class; -1 for none.
    init(for use: EventClass.WindowUse, item: Int) {
        switch use {
        case .passing: self.init(.passing)
        case .name: self.init(.name)
        case .state: self.init(.state)
        case .opening: self.init(.opening, item: item)
        case .call: self.init(.opening, item: item, submits: true)
        case .closing: self.init(.closing)
        case .latest: self.init(.latest)
        case .waiting: self.init(.waiting)
        case .submission: self.init(.passing, item: item, submits: true)
        case .description: self.init(.passing, item: item, describesItem: true)
        }
    }
}
