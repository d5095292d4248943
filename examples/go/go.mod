module compare

go 1.19

require faceverify v0.0.0

replace faceverify => ../../bindings/go
