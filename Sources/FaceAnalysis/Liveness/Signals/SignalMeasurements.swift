// Written by scripts/measurements from docs/measurements/liveness.csv.

/// What each signal measured on clips that were recorded before: the end of a check's source.
let signalMeasurements: [LivenessSignal: String] = [
  .observationTime: "27 living 1.8 to 21, 3 replayed 5.6 to 19",
  .identityContinuity: "27 living -24 to -5.4, 3 replayed -7.2 to -0.61",
  .singleFace: "27 living 0 to 0, 3 replayed 0 to 0.053",
  .planarity: "6 living 0.044 to 0.13, 1 replayed 0.086",
  .texture: "27 living 0.41 to 1, 3 replayed 0.0002 to 0.011",
  .moire: "27 living 0.58 to 3.5, 3 replayed 2 to 53",
  .refreshBands: "20 living 0.0001 to 0.0015, 3 replayed 0.0007 to 0.0032",
  .colourGamut: "27 living 0.32 to 21, 3 replayed 3.5 to 167",
  .specularPlane: "2 living 0.81 to 0.83, 1 replayed 6.3",
  .mediumEdge: "2 living 0 to 0, 2 replayed 18 to 58",
  .facialMotion: "25 living 1.5 to 7.2, 3 replayed 1.4 to 4.8",
  .skinChange: "25 living 2.7 to 17, 2 replayed 3.1 to 12",
  .eyeMovement: "5 living 0.024 to 0.075, 2 replayed 0.027 to 0.041",
  .frameRepetition: "27 living 0 to 0.013, 3 replayed 0 to 0",
  .frameOrder: "27 living 0 to 0, 3 replayed 0 to 0",
  .frameBlend: "27 living 0.28 to 0.57, 3 replayed 0.29 to 0.49",
  .frameClock: "27 living 0 to 0, 3 replayed 0 to 0",
  .frameSize: "27 living 0 to 0, 3 replayed 0 to 0",
  .sensorNoise: "27 living 0.84 to 7.3, 3 replayed 1.5 to 6.2",
]
