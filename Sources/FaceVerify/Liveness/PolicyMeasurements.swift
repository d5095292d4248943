// Written by scripts/measurements from docs/measurements/liveness.csv.

/// How many attacks of each species each policy took for living people when it was measured.
let policyMeasurements: [String: [LivenessPolicy.Measured]] = [
  "passive-only": [
    .init(species: "avatar", isSimulated: false, accepted: 2, of: 3),
    .init(species: "cutout", isSimulated: true, accepted: 0, of: 8),
    .init(species: "face-swap", isSimulated: false, accepted: 7, of: 10),
    .init(species: "moved-photo", isSimulated: true, accepted: 0, of: 8),
    .init(species: "print", isSimulated: true, accepted: 0, of: 8),
    .init(species: "reenactment", isSimulated: false, accepted: 3, of: 7),
    .init(species: "replay", isSimulated: false, accepted: 0, of: 3),
    .init(species: "screen", isSimulated: true, accepted: 0, of: 8),
    .init(species: "talking-head", isSimulated: false, accepted: 17, of: 21),
  ],
  "photo": [
    .init(species: "mask", isSimulated: false, accepted: 1, of: 1),
    .init(species: "print", isSimulated: false, accepted: 6, of: 10),
    .init(species: "screen", isSimulated: false, accepted: 0, of: 12),
  ],
]
