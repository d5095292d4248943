import FaceAnalysis
// The `faceverify` command with a scripted default model set. Not part of any product.
import FaceVerifyCLI
import ScriptedModels

installScriptedModels(as: .standard)
runCommand()
