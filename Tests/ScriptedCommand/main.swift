import FaceAnalysis
// The `faceverify` command whose default model set answers from scripts. In no product.
import FaceVerifyCLI
import ScriptedModels

installScriptedModels(as: .standard)
runCommand()
