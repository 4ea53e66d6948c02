"""Packs the stage directory as OUT/omk-VERSION-TARGET.tar.gz."""

import os
import sys

from archive import read_tree, write_tar

stage = sys.argv[1]
name = os.path.basename(stage)
write_tar(f"{os.environ['out']}/{name}.tar.gz", name, read_tree(stage))
