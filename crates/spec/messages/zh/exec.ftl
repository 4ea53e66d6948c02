# exec
