import FaceVerify

/// Pages as self-contained HTML: no network, no other files, no scripts. Texts are escaped, unless they are called HTML.
enum HTML {
  /// The text escaped for elements and attributes.
  static func escaped(_ text: String) -> String {
    let entities: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
    return text.printable.unicodeScalars.map { entities[$0] ?? String($0) }.joined()
  }

  static func code(_ text: String) -> String { "<code>\(escaped(text))</code>" }

  /// The text about the page and its sections are HTML.
  static func page(_ title: String, about: String, _ sections: [String]) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(escaped(title))</title>
    <style>
    \(style)
    </style>
    </head>
    <body>
    <main>
    <h1>\(escaped(title))</h1>
    <p>\(about)</p>
    \(sections.joined(separator: "\n"))
    </main>
    </body>
    </html>

    """
  }

  static func page(
    _ title: String, models: ModelVersion, about: String, legend: [(term: String, text: String)], standards: String,
    _ sections: [String]
  ) -> String {
    let terms = legend.map { "<dt>\(escaped($0.term))</dt><dd>\(escaped($0.text))</dd>" }.joined(separator: "\n")
    return page(
      title,
      about: "faceverify \(escaped(FaceVerifyVersion.string)), models \(escaped(models.set.rawValue)) "
        + "\(code(models.revision)). \(escaped(about))",
      sections + [
        section(
          "What the numbers mean", "<dl>\(terms)</dl>",
          "<p>Terms: \(standards). This is a measurement of these files with this version and these models, not a "
            + "certificate. Pictures of people in this page need the same protection as the files.</p>")
      ])
  }

  /// - Parameter parts: HTML.
  static func section(_ title: String, _ parts: String...) -> String {
    "<section><h2>\(escaped(title))</h2>\n\(parts.joined(separator: "\n"))</section>"
  }

  static func notes(_ notes: [String]) -> String {
    notes.isEmpty ? "" : "<ul class=\"notes\">\(notes.map { "<li>\(escaped($0))</li>" }.joined())</ul>"
  }

  /// - Parameter rows: HTML of each cell; the first one is the row's head.
  static func table(_ head: [String], _ rows: [[String]]) -> String { table([(head, rows)]) }

  static func table(_ parts: [(head: [String], rows: [[String]])]) -> String {
    let bodies = parts.map { head, rows in
      let head = head.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
      let rows = rows.map { row in
        "<tr><th scope=\"row\">\(row[0])</th>\(row.dropFirst().map { "<td>\($0)</td>" }.joined())</tr>"
      }
      return "<tbody><tr class=\"head\">\(head)</tr>\n\(rows.joined(separator: "\n"))</tbody>"
    }
    return "<div class=\"wide\"><table>\(bodies.joined(separator: "\n"))</table></div>"
  }

  static func value(_ value: String, _ remarks: String...) -> String {
    "<b>\(escaped(value))</b>" + remarks.map { "<small>\(escaped($0))</small>" }.joined()
  }

  static func badge(_ status: CheckStatus) -> String {
    let colour = status == .passed ? "passed" : status == .failed ? "failed" : "open"
    return "<span class=\"badge\"><span class=\"chip \(colour)\"></span>\(status.rawValue)</span>"
  }

  static func mark(_ text: String) -> String { " <span class=\"mark\">\(escaped(text))</span>" }

  static func grid(_ figures: some Sequence<String>) -> String {
    "<div class=\"grid\">\(figures.joined(separator: "\n"))</div>"
  }

  /// Pictures are PNG files, or nil for missing ones, with their descriptions; the caption is HTML.
  static func figure(_ pictures: [(png: [UInt8]?, alternative: String)], _ caption: String) -> String {
    // A data URL (RFC 2397 and 4648).
    let images = pictures.compactMap { png, alternative in
      png.map { "<img src=\"data:image/png;base64,\(Base64.standard.encode($0))\" alt=\"\(escaped(alternative))\">" }
    }
    let row = images.count > 1 ? "<div class=\"pair\">\(images.joined())</div>" : images.joined()
    return "<figure>\(row)<figcaption>\(caption)</figcaption></figure>"
  }

  static func list(_ items: [String]) -> String {
    items.isEmpty ? "" : "<ul>\(items.map { "<li>\($0)</li>" }.joined())</ul>"
  }

  // Blue, orange and grey are distinguishable with any colour blindness; text has a contrast above 4.5.
  private static let style = """
    :root { --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --band: #f4f6f8;
      --passed: #0b65b8; --failed: #c2570c; --open: #a9b1ba; --mark: #6b4e00; --markpaper: #fff1c2; }
    @media (prefers-color-scheme: dark) {
      :root { --paper: #0f1318; --ink: #e8ecf1; --soft: #a3adb8; --line: #38414b; --band: #181e25;
        --passed: #58a8f0; --failed: #f0914a; --open: #5c6670; --mark: #ffe08a; --markpaper: #3a2f0b; }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
    main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
    h1 { font-size: 1.8rem; margin: 0 0 .5rem; }
    h2 { font-size: 1.3rem; margin: 2.5rem 0 .75rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
    h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
    code { font: .85em ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-bottom: 1px solid var(--line); }
    th { font-weight: 600; }
    td { font-variant-numeric: tabular-nums; }
    td small { display: block; color: var(--soft); white-space: nowrap; }
    .badge { white-space: nowrap; }
    .badge .chip { margin-left: 0; }
    tr.head th { background: var(--band); white-space: nowrap; }
    .notes { border-left: 4px solid var(--failed); background: var(--band); margin: 1rem 0; padding: .75rem 1rem .75rem 2rem; }
    .worst { margin: 1rem 0; }
    .mark { background: var(--markpaper); color: var(--mark); border-radius: .25rem; padding: .05rem .4rem; font-size: .8em;
      font-weight: 600; }
    .key { color: var(--soft); }
    .chip { display: inline-block; width: .9em; height: .9em; border-radius: .2em; margin: 0 .35em 0 .8em;
      vertical-align: -.1em; }
    .passed { background: var(--passed); } .failed { background: var(--failed); } .open { background: var(--open); }
    .bar { display: flex; height: .6rem; min-width: 7rem; border-radius: .3rem; overflow: hidden; gap: 1px;
      margin: .3rem 0; }
    \(chartStyle)
    svg { width: 100%; min-width: 42rem; max-width: 60rem; height: auto; display: block; }
    .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: 1rem; }
    .charts svg { min-width: 0; }
    .pair { display: flex; justify-content: center; gap: 2px; }
    .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 1rem; align-items: start; }
    figure { margin: 0; border: 1px solid var(--line); border-radius: .5rem; background: var(--band); overflow: hidden; }
    figure img { display: block; margin: 0 auto; max-width: 100%; }
    figcaption { padding: .6rem .8rem; font-size: .9rem; }
    figcaption p { margin: .3rem 0; }
    figcaption ul { margin: .3rem 0 0; padding-left: 1.1rem; color: var(--soft); }
    dt { font-weight: 600; margin-top: .6rem; }
    dd { margin: 0; color: var(--soft); }
    @media (max-width: 40rem) { th, td { padding: .4rem; } td small { white-space: normal; } }
    @media print {
      main { max-width: none; padding: 0; } figure, tr { break-inside: avoid; } h2 { break-after: avoid; }
      .chip, tr.head th, .notes { print-color-adjust: exact; }
    }
    """

  static let chartStyle = """
    svg text { fill: var(--ink); font: 14px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
    svg .faint { fill: var(--soft); font-size: 12px; paint-order: stroke; stroke: var(--paper); stroke-width: 5px; }
    svg .grid { stroke: var(--line); }
    svg .live { stroke: var(--passed); fill: var(--passed); } svg .attack { stroke: var(--failed); fill: var(--failed); }
    svg .interval { stroke-width: 2.5; fill: none; }
    svg .point { stroke: var(--paper); stroke-width: 2; }
    svg .target { stroke: var(--failed); stroke-dasharray: 5 4; }
    """
}
