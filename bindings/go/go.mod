module faceverify

go 1.19
