// The `faceverify` command whose default model set answers from scripts. In no product.
import FaceVerifyCLI
import FaceAnalysis
import ScriptedModels

installScriptedModels(as: .standard)
runCommand()
