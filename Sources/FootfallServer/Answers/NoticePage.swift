internal import FootfallHistory
internal import FootfallReport

/// A page without data: a heading and a few lines.
enum NoticePage {
    /// A link to the page that is there without parameters.
    static let back = "<p><a href=\"/\">To the newest day</a></p>"

    /// - Parameters:
    ///   - title: The heading.
    ///   - content: The lines below it as HTML.
    static func html(_ title: String, _ content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>Footfall: \(title.markup)</title>
        <link rel="icon" href="/icon.svg"/>
        <link rel="stylesheet" href="/style.css"/>
        </head>
        <body>
        <header>
        <p class="brand">Footfall</p>
        <h1>\(title.markup)</h1>
        </header>
        <main id="content">
        \(content)
        </main>
        </body>
        </html>

        """
    }

    /// The page on which a reader gives the token to a browser.
    ///
    /// - Parameter isRepeated: Whether a token was given, and was wrong.
    static func login(isRepeated: Bool) -> String {
        html(
            "Token",
            """
            <p>\(isRepeated ? "That is not the token. " : "")Give the token of this server. The person who
            started the server has it.</p>
            <form method="post" action="/login">
            <label for="token">Token</label>
            <input id="token" name="token" type="password" autocomplete="current-password" required="required"/>
            <button>Read</button>
            </form>
            """)
    }
}
