/// A key of the terminal that a live view reacts to.
public enum LiveKey: Hashable, Sendable {
    case character(Character)
    case enter, escape, tab, backspace
    case up, down, left, right, pageUp, pageDown, home, end
}
