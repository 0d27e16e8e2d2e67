import Testing
import TraceSchema

@Suite("The event catalogue")
struct EventCatalogueTests {
    @Test("gives every event its own id and name, in the order of ids")
    func idsAndNamesAreUnique() {
        let events = EventCatalogue.events
        #expect(Set(events.map(\.id)).count == events.count)
        #expect(Set(events.map(\.name)).count == events.count)
        #expect(events.map(\.id) == events.map(\.id).sorted())
    }

    @Test("leaves id 0 unused and 255 to the extended event header")
    func reservedIDs() {
        #expect(!EventCatalogue.events.contains { $0.id == 0 || $0.id == 255 })
    }

    @Test("names events object_verb in lower case")
    func eventNames() {
        for event in EventCatalogue.events {
            #expect(event.name.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil, "\(event.name)")
        }
    }

    @Test("gives each field name one type and one number base")
    func fieldNamesMeanOneThing() {
        var seen: [String: EventField.FieldType] = [:]
        // `kind` can be the kind of an item or of an object, depending on the enumeration.
        for event in EventCatalogue.events {
            for field in event.fields where field.name != "kind" {
                if let type = seen[field.name] { #expect(type == field.type, "\(event.name).\(field.name)") }
                seen[field.name] = field.type
            }
        }
    }

    @Test("states the unit of every duration")
    func durationsHaveUnits() {
        for event in EventCatalogue.events {
            for field in event.fields where ["delay", "interval", "leeway"].contains(field.name) {
                #expect(field.unit == "ns", "\(event.name).\(field.name)")
            }
        }
    }

    @Test(
        "keeps the events of an item small, including the 5-byte header",
        arguments: [
            (["item_enqueue", "callout_begin", "callout_end"], 39), (["item_enqueue", "item_begin", "item_end"], 51),
            (["sync_begin", "callout_end"], 21),
        ])
    func itemEventsAreSmall(names: [String], bytes: Int) throws {
        let sizes = try names.map { 5 + (try #require(EventCatalogue.event(named: $0)?.fixedPayloadSize)) }
        #expect(sizes.reduce(0, +) == bytes)
    }

    @Test("has 48 bits for every serial number of a queue")
    func serialNumbersAreWide() {
        let names: Set = ["queue", "target", "level", "from", "to", "root", "object"]
        let fields = EventCatalogue.events.flatMap { $0.fields.filter { names.contains($0.name) } }
        #expect(fields.count > 20)
        for field in fields { #expect(field.type == .u48, "\(field.name)") }
    }

    @Test("keeps every definition for a part of a trace that begins after it")
    func definitionsOutliveTheBeginOfAWindow() {
        // Readings of the clocks and the end of the session define nothing.
        let moments = ["clock_sync", "recording_stop"]
        for event in EventCatalogue.events where event.isDefinition && !moments.contains(event.name) {
            #expect([.state, .name].contains(event.windowUse), "\(event.name)")
        }
    }

    @Test("identifies the item of every event by which a part of a trace finds submissions")
    func submissionsHaveItems() {
        for event in EventCatalogue.events where [.call, .submission, .description].contains(event.windowUse) {
            #expect(event.fields.contains { $0.name == "item" }, "\(event.name)")
        }
    }

    @Test("has no event or field newer than its declared version")
    func sinceIsNotInTheFuture() {
        for event in EventCatalogue.events {
            let parts = event.since.split(separator: ".").compactMap { Int($0) }
            #expect(
                parts.count == 2 && parts[0] == SchemaVersion.current.major && parts[1] <= SchemaVersion.current.minor)
        }
    }
}
