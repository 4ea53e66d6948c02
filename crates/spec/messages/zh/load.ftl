# load
