/// A kind of video file that is read, known by its first bytes.
///
/// ffmpeg is told the kind, so that it guesses nothing: a playlist, which could name other files, is never read as one.
enum VideoContainer: String {
  case mov, avi, matroska, gif, mjpeg

  init?(start: [UInt8]) {
    func has(_ text: String, at offset: Int) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }
    if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {  // EBML
      self = .matroska
    } else if has("RIFF", at: 0) && has("AVI ", at: 8) {
      self = .avi
    } else if has("GIF8", at: 0) {
      self = .gif
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {  // JPEG's start of image, and a marker
      self = .mjpeg
    } else if ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"].contains(where: { has($0, at: 4) }) {
      self = .mov  // the boxes with which QuickTime files begin; MP4 has ftyp
    } else {
      return nil
    }
  }
}
