/// The values of fields with a role, of a packet header, a packet context or an event header.
struct RoleValues {
    var magic: UInt64?
    /// Position of the UUID in bits from the start of the packet.
    var uuid: Int?
    var streamID: UInt64?
    var streamInstanceID: UInt64?
    var timestampBegin: UInt64?
    var timestampEnd: UInt64?
    var contentSize: UInt64?
    var packetSize: UInt64?
    var sequenceNumber: UInt64?
    /// The counter of discarded records, which wraps around, and the mask of its bits.
    var discarded: (count: UInt64, mask: UInt64)?
    var eventCount: UInt64?
    var tid: UInt64?
    var processor: UInt64?
    var eventID: UInt64?
    /// The low bits of the clock and their number.
    var time: (value: UInt64, size: Int)?

    mutating func set(_ role: FieldNode.Role, _ value: UInt64, size: Int) {
        switch role {
        case .none, .uuid: break
        case .magic: magic = value
        case .streamID: streamID = value
        case .streamInstanceID: streamInstanceID = value
        case .timestampBegin: timestampBegin = value
        case .timestampEnd: timestampEnd = value
        case .contentSize: contentSize = value
        case .packetSize: packetSize = value
        case .sequenceNumber: sequenceNumber = value
        case .discarded: discarded = (value, BitField.mask(size))
        case .eventCount: eventCount = value
        case .tid: tid = value
        case .processor: processor = value
        case .eventID: eventID = value
        case .time: time = (value, size)
        }
    }
}
