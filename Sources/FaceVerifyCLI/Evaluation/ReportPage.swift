import FaceVerify

/// A report as one self-contained page: no network, no other files, no scripts.
enum ReportPage {
  /// - Parameters:
  ///   - about: HTML below the title.
  ///   - sections: HTML.
  static func text(title: String, about: String, sections: [String]) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(HTML.escaped(title))</title>
    <style>
    \(style)
    </style>
    </head>
    <body>
    <main>
    <h1>\(HTML.escaped(title))</h1>
    <p>\(about)</p>
    \(sections.joined(separator: "\n"))
    </main>
    </body>
    </html>

    """
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
    svg .lines line { stroke: var(--line); }
    svg .live { stroke: var(--passed); fill: var(--passed); } svg .attack { stroke: var(--failed); fill: var(--failed); }
    svg .bar-fill { stroke: none; opacity: .35; }
    svg .interval { stroke-width: 2.5; fill: none; }
    svg .point { stroke: var(--paper); stroke-width: 2; }
    svg .lines .target { stroke: var(--failed); stroke-dasharray: 5 4; }
    """
}
