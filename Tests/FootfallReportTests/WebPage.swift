import Foundation
import Testing

/// The elements of a web page, read by an XML parser.
struct WebPage {
    let text: String
    private let document: Picture

    init(_ html: String, sourceLocation: SourceLocation = #_sourceLocation) {
        text = html
        document = Picture(html, sourceLocation: sourceLocation)
    }

    var elements: [Picture.Element] { document.elements }

    func all(_ name: String) -> [Picture.Element] { document.all(name) }

    /// The headings of a level, each with the text beside it.
    func headings(_ level: Int) -> [String] {
        var headings: [String] = []
        for (index, element) in elements.enumerated() where element.name == "h\(level)" {
            let beside = elements[(index + 1)...].prefix(1).filter { $0.name == "span" }.map(\.text)
            headings.append(([element.text.trimmingCharacters(in: .whitespaces)] + beside).joined(separator: " | "))
        }
        return headings
    }

    /// The rows of each table by its caption. The first row is the header.
    var tables: [String: [[String]]] {
        var tables: [String: [[String]]] = [:]
        var caption = ""
        for element in elements {
            switch element.name {
            case "caption": caption = element.text
            case "tr": tables[caption, default: []].append([])
            case "th", "td":
                let row = tables[caption]?.popLast() ?? []
                tables[caption, default: []].append(row + [element.text])
            default: break
            }
        }
        return tables
    }

    /// The pictures of a layout, each by its title.
    func pictures(_ layout: String = "wide") -> [String: Drawing] {
        var pictures: [String: Drawing] = [:]
        var title = ""
        var isInside = false
        for (index, element) in elements.enumerated() {
            if element.name == "svg" {
                isInside = element.attributes["class"] == layout
                title = isInside ? elements[index + 1].text : ""
                if isInside { pictures[title] = Drawing() }
            } else if ["details", "section", "h3", "footer"].contains(element.name) {
                isInside = false
            } else if isInside {
                pictures[title]?.elements.append(element)
            }
        }
        return pictures
    }

    /// The shapes of a picture.
    struct Drawing {
        var elements: [Picture.Element] = []

        /// The texts that are always visible.
        var words: [String] {
            elements.filter { $0.name == "text" && $0.attributes["visibility"] == nil }.map(\.text)
        }

        /// The values that a pointer, a keyboard or a touch shows, and the address of each.
        var values: [(text: String, link: String?)] {
            elements.indices.filter { elements[$0].attributes["class"] == "mark" }.map {
                (elements[$0 + 1].text, elements[$0].attributes["href"])
            }
        }

        /// The left and the right end of each rectangle of a fill.
        func rectangles(_ fill: String) -> [ClosedRange<Double>] {
            elements.filter { $0.name == "rect" && $0.attributes["fill"] == fill }.map {
                $0.number("x")...($0.number("x") + $0.number("width"))
            }
        }

        /// The ends and the height of each bar of a fill.
        func bars(_ fill: String) -> [(place: ClosedRange<Double>, height: Double)] {
            elements.filter { $0.name == "path" && $0.attributes["fill"] == fill }.flatMap { path in
                (path.attributes["d"] ?? "").split(separator: "M").compactMap { bar in
                    let numbers = bar.split { !"0123456789.".contains($0) }.compactMap { Double($0) }
                    guard numbers.count == 5, numbers[0] <= numbers[3] else { return nil }
                    return (numbers[0]...numbers[3], numbers[2])
                }
            }
        }

        /// The area of a color.
        func area(_ fill: String) -> Double {
            bars(fill).reduce(0) { $0 + ($1.place.upperBound - $1.place.lowerBound) * $1.height }
        }
    }
}
