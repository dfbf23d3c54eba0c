import Footfall
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The elements of an SVG document, read by an XML parser.
final class Picture: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var attributes: [String: String]
        var text = ""

        func number(_ attribute: String) -> Double { attributes[attribute].flatMap(Double.init) ?? .nan }
    }

    /// The left and the right end of the panels.
    static let left = 84.0
    static let right = 816.0

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    /// Fails the test when the document is not well formed.
    init(_ svg: String, sourceLocation: SourceLocation = #_sourceLocation) {
        super.init()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = self
        #expect(parser.parse(), "\(String(describing: parser.parserError))", sourceLocation: sourceLocation)
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if let last = open.last { elements[last].text += text }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    /// The texts of the picture.
    var words: [String] { all("text").map(\.text) }

    /// The subpaths of all paths with a fill or a stroke.
    func strokes(_ attribute: String, _ color: String) -> [[String]] {
        all("path").filter { $0.attributes[attribute] == color }.map {
            ($0.attributes["d"] ?? "").split(separator: "M").map(String.init)
        }
    }

    /// The start and end of each bar of a color, as shares of the time axis.
    func bars(_ color: String) -> [ClosedRange<Double>] {
        strokes("fill", color).flatMap(\.self).filter { $0.hasSuffix("z") }.compactMap { bar in
            guard let start = Double(bar.prefix { $0 != "," }), let h = bar.firstIndex(of: "H"),
                let end = Double(bar[bar.index(after: h)...].prefix { $0 != "v" }), start <= end
            else { return nil }
            return Self.share(start)...Self.share(end)
        }
    }

    /// A horizontal position as a share of the time axis.
    static func share(_ x: Double) -> Double { (x - left) / (right - left) }
}

/// The colors of activities.
enum Color {
    static let walking = "#009e73"
    static let automotive = "#0072b2"
    static let halted = "url(#footfall-halt)"
    static let gap = "url(#footfall-gap)"
    static let ink = "#222222"
    static let signal = "#1f4a75"
}
