/// The page on which a reader gives the token to a browser.
enum LoginPage {
    /// - Parameter isRepeated: Whether a token was given, and was wrong.
    static func html(isRepeated: Bool) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>Footfall: token</title>
        <link rel="icon" href="/icon.svg"/>
        <link rel="stylesheet" href="/style.css"/>
        </head>
        <body>
        <main id="content">
        <h1>Footfall</h1>
        <p>\(isRepeated ? "That is not the token. " : "")Give the token of this server: the text in the file of
        <code>--token-file</code>.</p>
        <form method="post" action="/login">
        <label for="token">Token</label>
        <input id="token" name="token" type="password" autocomplete="current-password" required="required"/>
        <button>Read</button>
        </form>
        </main>
        </body>
        </html>

        """
    }
}
