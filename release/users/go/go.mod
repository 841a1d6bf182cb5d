module session

go 1.19
