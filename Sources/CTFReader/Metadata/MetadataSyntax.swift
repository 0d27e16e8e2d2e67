/// A top-level block or declaration of the metadata.
enum MetadataBlock {
    case trace([MetadataEntry])
    case environment([MetadataEntry])
    case clock([MetadataEntry], offset: Int)
    case stream([MetadataEntry], offset: Int)
    case event([MetadataEntry], offset: Int)
    case callsite
    case declaration(DeclarationSyntax)
}

/// An entry in a block.
enum MetadataEntry {
    /// `name = value;`
    case attribute(AttributeSyntax)
    /// `name := type;`
    case typeAssignment(name: String, type: TypeSyntax, offset: Int)
    /// A type declaration, visible in the rest of the block.
    case declaration(DeclarationSyntax)
}

/// `name = value`.
struct AttributeSyntax {
    var name: String
    var value: Value
    var offset: Int

    /// The right-hand side of an attribute.
    enum Value {
        case words(String)
        case text(String)
        case number(Int128)
    }
}

/// A declaration of a type name or of a field.
enum DeclarationSyntax {
    /// `typealias type := name;` or `typedef type name;`
    case alias(name: String, type: TypeSyntax, offset: Int)
    /// `struct name { … };` and similar declarations.
    case type(TypeSyntax)
    /// `type name;` in a structure or variant.
    case field(name: String, type: TypeSyntax, offset: Int)
}

/// The syntax of a type.
indirect enum TypeSyntax {
    case named(String, offset: Int)
    case integer([AttributeSyntax], offset: Int)
    case float([AttributeSyntax], offset: Int)
    case string([AttributeSyntax])
    case structure(name: String?, body: [DeclarationSyntax]?, alignment: Int128?, offset: Int)
    case variant(name: String?, tag: CTFFieldReference?, body: [DeclarationSyntax]?, offset: Int)
    case enumeration(name: String?, container: TypeSyntax?, body: [EnumeratorSyntax]?, offset: Int)
    case array(element: TypeSyntax, count: Int128, offset: Int)
    case sequence(element: TypeSyntax, length: CTFFieldReference)
}

/// `label`, `label = value` or `label = lower ... upper`.
struct EnumeratorSyntax {
    var label: String
    var range: (lower: Int128, upper: Int128)?
    var offset: Int
}

extension TypeSyntax {
    /// Whether the type is a structure, variant or enumeration with a body.
    var hasBody: Bool {
        switch self {
        case .structure(_, let body, _, _): body != nil
        case .variant(_, _, let body, _): body != nil
        case .enumeration(_, _, let body, _): body != nil
        default: false
        }
    }
}
