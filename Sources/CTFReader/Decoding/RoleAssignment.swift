extension FieldNode {
    /// Assigns roles to the fields of a packet header.
    func assignPacketHeaderRoles() {
        for field in fields {
            switch (field.declaredName, field.kind) {
            case ("magic", .integer): field.role = .magic
            case ("stream_id", .integer): field.role = .streamID
            case ("stream_instance_id", .integer): field.role = .streamInstanceID
            case ("uuid", .array(let element, count: 16)) where element.fixedSize == 8: field.role = .uuid
            default: break
            }
        }
    }

    /// Assigns roles to the fields of a packet context.
    ///
    /// - Parameter byNames: whether names decide about the roles that CTF defines, as in CTF 1.8. CTF defines no
    ///   roles for the thread, the processor and the number of events, so their names decide in CTF 2 too.
    func assignPacketContextRoles(byNames: Bool) {
        for field in fields where field.isInteger && field.role == .none {
            switch field.declaredName {
            case "event_count": field.role = .eventCount
            case "tid", "_tid": field.role = .tid
            case "cpu_id", "_cpu_id": field.role = .processor
            case _ where !byNames: break
            case "timestamp_begin": field.role = .timestampBegin
            case "timestamp_end": field.role = .timestampEnd
            case "content_size": field.role = .contentSize
            case "packet_size": field.role = .packetSize
            case "packet_seq_num": field.role = .sequenceNumber
            case "events_discarded": field.role = .discarded
            default: break
            }
        }
    }

    /// Assigns the role of the id to fields of an event header. The role of the time stamp comes from the clock that a
    /// field is mapped to.
    func assignEventHeaderRoles() {
        for field in fields {
            if field.isInteger, field.declaredName == "id" { field.role = .eventID }
            if case .variant(let options, _, _, _) = field.kind {
                for option in options { option.assignEventHeaderRoles() }
            }
        }
    }
}
