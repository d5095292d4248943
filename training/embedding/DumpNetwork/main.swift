// Writes the layers of dlib's face recognition network, on which the student is based:
//   swift run -c release dump-network dlib_face_recognition_resnet_model_v1.dat public.f4
// For each, in the order of the forward pass: inputs, outputs, kernel (32-bit integers; 0 for the fully connected
// layer), weights [outputs][inputs][y][x] and biases (32-bit floats).
import FaceAnalysis
import Glibc

guard CommandLine.arguments.count == 3 else {
  let usage = Array("usage: dump-network MODEL.dat OUTPUT\n".utf8)
  write(STDERR_FILENO, usage, usage.count)
  exit(2)
}
let dat = try RegularFile.read(path: CommandLine.arguments[1], maximumBytes: 1 << 30)
var bytes: [UInt8] = []
for layer in try DlibNetworkFile.layers(in: dat) {
  for number in [layer.inputs, layer.outputs, layer.kernel] { withUnsafeBytes(of: Int32(number)) { bytes += $0 } }
  for number in layer.weights + layer.bias { withUnsafeBytes(of: number) { bytes += $0 } }
}
try RegularFile.write(bytes, to: CommandLine.arguments[2])
