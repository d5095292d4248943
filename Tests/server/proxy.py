"""A bad connection: a proxy on loopback that delays, drops responses and can be cut."""

import random
import select
import socket
import threading
import time


class Proxy:
    """Forwards bytes with `delay` seconds more per round trip; drops a fraction of responses by closing; is cut while
    `cut` is set."""

    def __init__(self, target, delay=0.0, lost=0.0, seed=1):
        self.target, self.delay, self.lost = target, delay / 2, lost
        self.random, self.cut, self.losses = random.Random(seed), False, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        host, port = self.target().split("//")[1].split(":")
        try:
            if self.cut:
                client.close()
                return
            server = socket.create_connection((host, int(port)), 5)
        except OSError:
            client.close()
            return
        pending, isNew = [], True
        with client, server:
            for each in (client, server):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while not self.cut:
                wait = max(0, pending[0][0] - time.monotonic()) if pending else 0.05
                ready = select.select([client, server], [], [], min(wait, 0.05))[0]
                try:
                    for source in ready:
                        piece = source.recv(1 << 20)
                        if not piece:
                            return
                        if source is client:
                            isNew = True
                        elif isNew:
                            isNew = False
                            if self.random.random() < self.lost:
                                self.losses += 1
                                return
                        pending.append((time.monotonic() + self.delay, server if source is client else client, piece))
                    while pending and pending[0][0] <= time.monotonic():
                        _, to, piece = pending.pop(0)
                        to.sendall(piece)
                except OSError:
                    return

    def close(self):
        self.cut = True
        self.listener.close()
