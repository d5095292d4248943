// Written by scripts/measurements from docs/measurements/liveness.csv.

/// What each signal measured on clips that were recorded before: the end of a check's source.
let signalMeasurements: [LivenessSignal: String] = [
  .observationTime: "27 living 1.8 to 21, 3 replayed 5.6 to 19, 8 of 81 living strangers failed",
  .identityContinuity: "27 living -34 to -11, 3 replayed -13 to -5.9, 1 of 78 living strangers failed",
  .singleFace: "27 living 0 to 0, 3 replayed 0 to 0.053, 1 of 81 living strangers failed",
  .planarity: "6 living 0.044 to 0.13, 1 replayed 0.086, 0 of 23 living strangers failed",
  .texture: "27 living 0.42 to 1, 3 replayed 0.0002 to 0.013, 1 of 80 living strangers failed",
  .moire: "27 living 0.59 to 3.5, 3 replayed 1.9 to 53, 0 of 81 living strangers failed",
  .refreshBands: "20 living 0.0001 to 0.0015, 3 replayed 0.0007 to 0.0032, 0 of 66 living strangers failed",
  .colourGamut: "27 living 0.32 to 21, 3 replayed 3.5 to 167, 2 of 80 living strangers failed",
  .specularPlane: "2 living 0.81 to 0.83, 1 replayed 5.5, 0 of 12 living strangers failed",
  .mediumEdge: "2 living 0 to 0, 2 replayed 18 to 58, 0 of 15 living strangers failed",
  .facialMotion: "26 living 1.5 to 7.2, 3 replayed 1.6 to 4.8, 0 of 70 living strangers failed",
  .skinChange: "25 living 2.7 to 17, 2 replayed 3.1 to 12, 1 of 37 living strangers failed",
  .eyeMovement: "5 living 0.024 to 0.075, 2 replayed 0.025 to 0.041, 7 of 45 living strangers failed",
  .frameRepetition: "27 living 0 to 0.013, 3 replayed 0 to 0, 1 of 81 living strangers failed",
  .frameOrder: "27 living 0 to 0, 3 replayed 0 to 0, 2 of 81 living strangers failed",
  .frameBlend: "27 living 0.28 to 0.57, 3 replayed 0.29 to 0.49, 0 of 80 living strangers failed",
  .frameClock: "27 living 0 to 0, 3 replayed 0 to 0, 0 of 81 living strangers failed",
  .frameSize: "27 living 0 to 0, 3 replayed 0 to 0, 0 of 81 living strangers failed",
  .sensorNoise: "27 living 0.82 to 7.2, 3 replayed 1.5 to 5.7, 0 of 81 living strangers failed",
]
