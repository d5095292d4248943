/// Colours on a dark background that are distinguishable with any colour blindness, also by brightness (Okabe and Ito
/// 2008).
enum Palette {
  static let paper: UInt32 = 0x12161C
  static let panel: UInt32 = 0x1B2129
  static let line: UInt32 = 0x39424E
  static let text: UInt32 = 0xF2F4F8
  static let faint: UInt32 = 0xA7AFBC
  static let blue: UInt32 = 0x56B4E9
  static let orange: UInt32 = 0xE69F00
  static let white: UInt32 = 0xE8ECF1
  static let vermilion: UInt32 = 0xFF7A33
  static let purple: UInt32 = 0xE39BC6

  static let passed = blue
  static let failed = vermilion
}
