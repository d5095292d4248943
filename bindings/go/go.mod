module faceverify.invalid/bindings/go

go 1.19
