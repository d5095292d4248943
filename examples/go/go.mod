module faceverify.invalid/examples/go

go 1.19

require faceverify.invalid/bindings/go v0.0.0

replace faceverify.invalid/bindings/go => ../../bindings/go
