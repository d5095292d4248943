"""Smart card readers without hardware: a pcscd of its own with vpcd, vsmartcard's virtual reader, and the cards of
emulated-chip, as in Tests/scripts/test-reader.sh.

    FACEVERIFY_EMULATED_CHIP   emulated-chip (default: in .build/release)
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRIVER = pathlib.Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
PCSCD = "/usr/sbin/pcscd"
EMULATED = pathlib.Path(os.environ.get("FACEVERIFY_EMULATED_CHIP") or ROOT / ".build/release/emulated-chip")


def wants():
    """A reason to skip, or None."""
    if not os.access(EMULATED, os.X_OK):
        return "no emulated-chip: scripts/test builds it"
    if not os.access(PCSCD, os.X_OK) or not DRIVER.exists():
        return "no pcscd or vsmartcard-vpcd: scripts/setup --tests installs them"
    if os.getuid() != 0 or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        return "a pcscd of its own needs root and mount namespaces"
    return None


class VirtualReader:
    """The readers "Virtual PCD 00 00" and "Virtual PCD 00 01", in a mount namespace of their own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="faceverify-reader."))
        # Below the ports that the system assigns; each reader listens for its card, on this port and the next one.
        self.port = 20_000 + os.getpid() % 6_000 * 2
        (self.folder / "readers").mkdir()
        (self.folder / "readers/vpcd").write_text(
            f'FRIENDLYNAME "Virtual PCD"\nDEVICENAME /dev/null:0x{self.port:X}\nLIBPATH {DRIVER}\nCHANNELID 0x{self.port:X}\n')
        own = "mkdir -p /run/pcscd && mount -t tmpfs none /run/pcscd && exec \"$@\""
        with open(self.folder / "log", "ab") as log:
            self.service = subprocess.Popen(
                ["unshare", "-m", "sh", "-c", own, "-", PCSCD, "--foreground", "--config", str(self.folder / "readers")],
                stdout=log, stderr=log)
        self.socket = f"/proc/{self.service.pid}/root/run/pcscd/pcscd.comm"
        self.environment = {"PCSCLITE_CSOCK_NAME": self.socket}
        self.cards = []
        end = time.monotonic() + 20
        while not os.path.exists(self.socket):
            if time.monotonic() > end or self.service.poll() is not None:
                self.close()
                raise AssertionError("pcscd with vpcd does not start")
            time.sleep(0.05)

    def insert(self, *arguments):
        """Lays a card on the first reader."""
        self.cards.append(subprocess.Popen([EMULATED, *map(str, arguments), "--connect", str(self.port)]))

    def remove(self):
        for card in self.cards:
            card.kill()
            card.wait()
        self.cards = []
        # Until the reader has noticed it.
        time.sleep(1)

    def authority(self):
        """A folder with the certificate of the state that issued the cards."""
        folder = self.folder / "csca"
        folder.mkdir(exist_ok=True)
        subprocess.run([EMULATED, "--authority", folder / "csca.cer"], check=True)
        return str(folder)

    def close(self):
        for process in [*self.cards, self.service]:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
