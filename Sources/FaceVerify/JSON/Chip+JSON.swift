extension DocumentChip: JSONConvertible {
  public var jsonValue: JSONValue {
    func file<Value>(
      _ result: Result<Value, VerifyError>?, _ value: (Value) -> JSONValue
    ) -> JSONValue {
      switch result {
      case nil: .null
      case .success(let content): value(content)
      case .failure(let error): error.jsonValue
      }
    }
    let (contents, files) = (contents, contents.files)
    return [
      "dataGroups": .array(files.dataGroups.map(JSONValue.integer)),
      "ignored": .array(files.ignored.map(JSONValue.string)), "missing": .array(missing.map { .string($0.rawValue) }),
      "problem": .optional(evidence.problem?.rawValue), "authentication": authentication.jsonValue,
      "mrz": zone?.jsonValue ?? .null,
      "com": file(contents.common) {
        [
          "ldsVersion": .optional($0.ldsVersion), "unicodeVersion": .optional($0.unicodeVersion),
          "dataGroups": .array($0.dataGroups.map(JSONValue.integer)),
        ]
      },
      "dg1": file(contents.dataGroup1) { ["text": .string($0.text)] },
      "dg2": file(contents.dataGroup2) { ["images": $0.images.jsonValue] },
      "dg11": file(contents.dataGroup11, \.jsonValue), "dg12": file(contents.dataGroup12, \.jsonValue),
      "dg14": file(contents.dataGroup14, \.infos.jsonValue),
      "dg15": file(contents.dataGroup15, \.publicKey.jsonValue),
      "cardAccess": file(contents.cardAccess, \.infos.jsonValue),
      "cardSecurity": file(contents.cardSecurity, \.infos.infos.jsonValue),
      "sod": file(contents.documentSecurity) {
        [
          "version": .integer($0.content.version), "hashAlgorithm": .string($0.content.hashAlgorithmIdentifier),
          "signerIdentified": .bool($0.isSignerIdentified),
          "hashes": .object(
            Dictionary(
              $0.content.hashes.map { ("dg\($0.key)", JSONValue.string(hexadecimal($0.value))) },
              uniquingKeysWith: { $1 })),
          "ldsVersion": .optional($0.content.ldsVersion), "unicodeVersion": .optional($0.content.unicodeVersion),
        ]
      },
    ]
  }
}

extension PassiveAuthentication: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "verdict": .string(verdict.rawValue), "validity": .string(validity.rawValue),
      "steps": .array(
        steps.map {
          [
            "name": .string($0.name.rawValue), "status": .string($0.status.rawValue),
            "reason": .optional($0.reason?.rawValue), "text": .string($0.text),
          ]
        }),
      "signer": signer?.jsonValue ?? .null, "anchor": anchor?.jsonValue ?? .null, "path": path.jsonValue,
      "signatureAlgorithm": .optional(signatureAlgorithm), "digestAlgorithm": .optional(digestAlgorithm),
      "hashAlgorithm": .optional(hashAlgorithm), "signingTime": .optional(signingTime?.description),
      "weaknesses": .array(weaknesses.map { .string($0.rawValue) }),
      "leniencies": .array(leniencies.map { .string($0.rawValue) }),
      "deviations": .array(
        deviations.map { ["types": .array($0.types.map(JSONValue.string)), "source": .string($0.source)] }),
    ]
  }
}

extension Certificate: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "subject": .string(subject.description), "issuer": .string(issuer.description),
      "country": .optional(subject.country), "serialNumber": .string(serialNumber),
      "validFrom": .string(validFrom.description), "validTo": .string(validTo.description),
      "sha256": .string(sha256), "publicKey": publicKeyInfo?.jsonValue ?? .null,
    ]
  }
}

extension TrustAnchor: JSONConvertible {
  public var jsonValue: JSONValue { ["certificate": certificate.jsonValue, "source": .string(source)] }
}

extension TrustSource: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "name": .string(name), "kind": .string(kind.rawValue), "certificates": .integer(certificateCount),
      "revocationLists": .integer(revocationListCount), "unreadable": .integer(unreadableCount),
      "signature": .string(signature.rawValue),
      "signer": .optional(signer?.subject.description), "signerChain": .string(signerChain.rawValue),
      "pin": .optional(pin),
      "text": .string(text),
    ]
  }
}

extension TrustStore: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "sources": sources.jsonValue, "anchors": anchors.jsonValue,
      "revocationLists": .array(
        revocationLists.map {
          [
            "issuer": .string($0.issuer.description), "thisUpdate": .string($0.thisUpdate.description),
            "nextUpdate": .optional($0.nextUpdate?.description), "revoked": .integer($0.revoked.count),
          ]
        }),
    ]
  }
}

extension PublicKeyInfo: JSONConvertible {
  public var jsonValue: JSONValue {
    ["algorithm": .string(algorithm), "bits": .integer(bits), "curve": .optional(curve)]
  }
}

extension SecurityInfo: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "objectIdentifier": .string(objectIdentifier), "name": .string(name), "kind": .string(kind.rawValue),
      "version": .optional(version), "parameter": .optional(parameter),
      "signatureAlgorithm": .optional(signatureAlgorithm), "publicKey": publicKey?.jsonValue ?? .null,
    ]
  }
}

extension DataGroup11: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "fullName": .optional(fullName), "otherNames": .array(otherNames.map(JSONValue.string)),
      "personalNumber": .optional(personalNumber), "dateOfBirth": .optional(dateOfBirth?.description),
      "placeOfBirth": .array(placeOfBirth.map(JSONValue.string)), "address": .array(address.map(JSONValue.string)),
      "telephone": .optional(telephone), "profession": .optional(profession), "title": .optional(title),
      "personalSummary": .optional(personalSummary),
      "proofOfCitizenshipSha256": .optional(proofOfCitizenship.map { sha256($0) }),
      "otherTravelDocumentNumbers": .array(otherTravelDocumentNumbers.map(JSONValue.string)),
      "custodyInformation": .optional(custodyInformation),
    ]
  }
}

extension DataGroup12: JSONConvertible {
  public var jsonValue: JSONValue {
    [
      "issuingAuthority": .optional(issuingAuthority), "dateOfIssue": .optional(dateOfIssue?.description),
      "otherPersons": .array(otherPersons.map(JSONValue.string)), "endorsements": .optional(endorsements),
      "taxOrExitRequirements": .optional(taxOrExitRequirements),
      "imageOfFrontSha256": .optional(imageOfFront.map { sha256($0) }),
      "imageOfRearSha256": .optional(imageOfRear.map { sha256($0) }),
      "personalisationTime": .optional(personalisationTime?.description),
      "personalisationSystem": .optional(personalisationSystem),
    ]
  }
}
