module faceverify/examples/server

go 1.19
