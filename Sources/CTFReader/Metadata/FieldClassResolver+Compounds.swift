// Field classes that contain other field classes.
extension FieldClassResolver {
    mutating func structure(_ property: FieldClassProperties) throws(CTFError) -> ResolvedType {
        var fields: [CTFField] = []
        var parts: [ResolvedType] = []
        var names: Set<String> = []
        for member in property.members ?? [] {
            guard names.insert(member.name).inserted else {
                throw error(.duplicate, "The member '\(member.name)' is declared twice")
            }
            let part = try resolve(member.fieldClass)
            fields.append(CTFField(name: member.name, type: part.type, declaredName: member.name))
            parts.append(part)
        }
        let type = CTFStructureType(fields: fields, minimumAlignment: try alignment(property.minimumAlignment))
        return try ResolvedType.composed(.structure(type), of: parts, source, at: offset)
    }

    mutating func element(_ property: FieldClassProperties) throws(CTFError) -> ResolvedType {
        guard let element = property.elementClass else {
            throw error(.missingAttribute, "'\(property.type)' has no 'element-field-class'")
        }
        return try resolve(element)
    }

    func aligned(
        _ type: CTFFieldType, _ parts: [ResolvedType], _ property: FieldClassProperties
    ) throws(CTFError) -> ResolvedType {
        let minimum = try alignment(property.minimumAlignment)
        let type = minimum > 1 ? .aligned(type, minimum: minimum) : type
        return try ResolvedType.composed(type, of: parts, source, at: offset)
    }

    mutating func optional(_ property: FieldClassProperties) throws(CTFError) -> ResolvedType {
        guard let content = property.fieldClass else {
            throw error(.missingAttribute, "'optional' has no 'field-class'")
        }
        let part = try resolve(content)
        // Without ranges the selector is a Boolean.
        let choices =
            try property.selectorRanges.map { ranges throws(CTFError) in try self.choices(ranges, option: 0) }
            ?? [.init(lower: 1, upper: .max, option: 0)]
        let type = CTFOptionalType(content: part.type, selector: try selectorLocation(property), choices: choices)
        return try ResolvedType.composed(.optional(type), of: [part], source, at: offset)
    }

    mutating func variant(_ property: FieldClassProperties) throws(CTFError) -> ResolvedType {
        guard let options = property.options, !options.isEmpty else {
            throw error(.missingAttribute, "The variant has no 'options'")
        }
        var fields: [CTFField] = []
        var parts: [ResolvedType] = []
        var choices: [FieldNode.Choice] = []
        for (index, option) in options.enumerated() {
            let part = try resolve(option.fieldClass)
            let name = option.name ?? ""
            fields.append(CTFField(name: name, type: part.type, declaredName: name))
            parts.append(part)
            choices += try self.choices(option.ranges, option: index)
        }
        let type = CTFVariantType(tag: try selectorLocation(property), options: fields, choices: choices)
        return try ResolvedType.composed(.variant(type), of: parts, source, at: offset)
    }
}
