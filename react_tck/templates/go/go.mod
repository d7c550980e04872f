module react-tck-harness

go 1.23
