// Separate from FaceVerifyCLI, so that Tests/ScriptedCommand can run it with other models.
import FaceVerifyCLI

runCommand()
