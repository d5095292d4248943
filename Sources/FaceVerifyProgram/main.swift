// Apart from what it runs, so that Tests/ScriptedCommand can run the same with other models.
import FaceVerifyCLI

runCommand()
