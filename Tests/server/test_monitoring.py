"""Every metric that examples/monitoring queries exists in /metrics, with the labels that it selects."""

import json
import re
import shutil
import subprocess
import tempfile
import unittest

import drawn
import harness
from harness import RECORDING, ServerCase, form

EXAMPLES = harness.ROOT / "examples/monitoring"
# Names in the queries that are not the server's: functions, and what Prometheus adds.
FOREIGN = {"offset", "or", "vector", "up", "job", "time", "le", "sum", "by", "rate", "increase", "histogram_quantile"}


def queries():
    board = json.loads((EXAMPLES / "grafana.json").read_text())
    yield from (target["expr"] for panel in board["panels"] for target in panel["targets"])
    yield from re.findall(r"^ +expr: (.*)$", (EXAMPLES / "alerts.yml").read_text(), re.M)


class Monitoring(ServerCase):
    def documented(self):
        """The labels of each metric, by docs/server.md."""
        text = (harness.ROOT / "docs/server.md").read_text()
        found = {}
        for names, labels in re.findall(r"^\| (`fv_[^|]*) \| ([^|]*)\|", text, re.M):
            for name in re.findall(r"`(\w+)`", names):
                found[name] = set(re.findall(r"`(\w+)`", labels))
        return found

    def test_every_queried_metric_and_label_exists(self):
        self.session(RECORDING).person().show_face(3)
        body, kind = form([("photo", "a", drawn.photo())])
        self.server.call("POST", "/v1/quality", body, self.key, kind=kind)
        self.server.call("GET", "/v1/sessions", token="fvk_wrong")
        text = harness.Client(self.server.admin).call("GET", "/metrics").body.decode()
        kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M))
        labels = self.documented()
        self.assertEqual(set(labels), set(kinds), "docs/server.md lists the metrics")
        for name, members in re.findall(r"^(\w+)\{(.*)\} ", text, re.M):
            base = name if name in kinds else re.sub("_(bucket|sum|count)$", "", name)
            self.assertEqual(set(re.findall(r'(\w+)="', members)) - {"le"}, labels[base], name)
        asked = list(queries())
        self.assertGreater(len(asked), 20)
        for query in asked:
            with self.subTest(query=query):
                bare = re.sub(r'"[^"]*"|\[\w+\]|\b\d+[smhd]\b', "", query)
                metrics = set(re.findall(r"\bfv_\w+", bare))
                self.assertTrue(metrics or "up{" in query)
                allowed = set()
                for metric in metrics:
                    base = metric if metric in kinds else re.sub("_(bucket|sum|count)$", "", metric)
                    self.assertEqual(kinds[base] == "histogram", metric != base, metric)
                    allowed |= labels[base]
                self.assertLessEqual(set(re.findall(r"[a-z]\w*", bare)) - metrics - FOREIGN, allowed)

    def test_counters_with_alerts_begin_at_zero(self):
        server = harness.Server()
        self.addCleanup(server.remove)
        metrics = server.metrics()
        for name in ('fv_webhook_total{outcome="given-up"}', "fv_store_failures_total", 'fv_refused_total{status="401"}'):
            self.assertEqual(metrics.get(name), 0, name)

    @unittest.skipUnless(shutil.which("promtool"), "no promtool: apt-get install prometheus")
    def test_the_configuration_and_all_queries_are_valid(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as rules:
            json.dump({"groups": [{"name": "all", "rules": [
                {"record": f"query:{number}", "expr": query} for number, query in enumerate(queries())]}]}, rules)
            rules.flush()
            for arguments in (["config", EXAMPLES / "prometheus.yml"], ["rules", rules.name]):
                done = subprocess.run(["promtool", "check", *arguments], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
