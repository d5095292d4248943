import math
import unittest

from support import PORTRAIT, SELFIE, engine, faceverify, needs_samples

from faceverify import BadArgumentError, CheckStatus, ComparisonPolicy, Consequence, QualityPolicy, Result


class QualityPolicyTests(unittest.TestCase):
    def test_names(self):
        for name in ("selfie", "document-portrait", "chip-portrait"):
            QualityPolicy(name).close()
        for name in ("passport", "", "selfie\0", "sélfie"):
            with self.assertRaises(BadArgumentError):
                QualityPolicy(name)

    def test_measures(self):
        self.assertGreaterEqual(len(set(faceverify.QUALITY_MEASURES)), 18)
        policy = QualityPolicy("selfie")
        for measure in faceverify.QUALITY_MEASURES:
            policy.require(measure, minimum=0.5)
        with self.assertRaisesRegex(BadArgumentError, '"beauty"'):
            policy.require("beauty", minimum=0.5)

    def test_a_closed_policy_is_rejected(self):
        with QualityPolicy("selfie") as policy:
            pass
        with self.assertRaisesRegex(BadArgumentError, "QualityPolicy is closed"):
            policy.require("sharpness")
        with self.assertRaisesRegex(BadArgumentError, "QualityPolicy is closed"):
            engine().compare("/nowhere", "/nowhere", ComparisonPolicy(selfie=policy))

    @needs_samples
    def test_the_requirement_decides(self):
        policy = QualityPolicy("selfie")
        for limits, status, consequence in (
            ({"minimum": 200}, CheckStatus.FAILED, Consequence.WARN),
            ({"minimum": 200, "refused_below": 150}, CheckStatus.FAILED, Consequence.REFUSE),
            ({"maximum": 50}, CheckStatus.FAILED, Consequence.WARN),
            ({"maximum": 50, "refused_above": 60}, CheckStatus.FAILED, Consequence.REFUSE),
            ({"minimum": 100, "maximum": 110}, CheckStatus.PASSED, None),
            ({}, CheckStatus.NOT_CHECKED, None),
        ):
            policy.require("inter-eye-distance", **limits)
            sample = engine().assess(SELFIE, policy)
            check = sample.checks[faceverify.QUALITY_MEASURES.index("inter-eye-distance")]
            self.assertEqual((check.status, check.consequence), (status, consequence), limits)
            self.assertEqual((check.minimum, check.maximum), (limits.get("minimum"), limits.get("maximum")))
            self.assertAlmostEqual(check.value, 103, 0)
            self.assertEqual(sample.is_accepted, consequence is not Consequence.REFUSE)


class PolicyTests(unittest.TestCase):
    @needs_samples
    def test_rates(self):
        template = engine().sample(SELFIE).template
        for rate in (1e-2, 3e-3, 1e-3, 1e-4):
            decision = engine().compare(template, template, ComparisonPolicy(false_match_rate=rate))
            self.assertIs(decision.result, faceverify.Result.REFUSED)  # the same template twice proves nothing
            self.assertEqual(engine().compare_templates(template, template, rate).decided_at, rate)
            self.assertEqual(engine().compare_many(template, [template], rate)[0].decided_at, rate)
        for ask in (
            lambda rate: engine().compare(template, template, ComparisonPolicy(false_match_rate=rate)),
            lambda rate: engine().compare_templates(template, template, rate),
            lambda rate: engine().compare_many(template, [template], rate),
        ):
            for rate in (0, -1, 2, math.nan, math.inf):
                with self.assertRaisesRegex(BadArgumentError, "between 0 and 1"):
                    ask(rate)
            for rate in (1e-7, 0.5):
                with self.assertRaises(faceverify.UnsupportedRateError) as caught:
                    ask(rate)
            self.assertIsInstance(caught.exception, ValueError)
            self.assertFalse(caught.exception.retryable)

    @needs_samples
    def test_each_side_has_its_policy(self):
        strict = QualityPolicy("selfie")
        strict.require("inter-eye-distance", minimum=2000, refused_below=1000)
        for side in ("selfie", "portrait"):
            decision = engine().compare(SELFIE, PORTRAIT, ComparisonPolicy(**{side: strict}))
            self.assertIs(decision.result, Result.REFUSED)
            self.assertIsNone(decision.comparison)
            self.assertFalse(decision)
            self.assertIn(f"{side}.inter-eye-distance", [reason.code for reason in decision.reasons])
