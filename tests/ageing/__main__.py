"""`python -m tests.ageing NAME`: keep ledgers of the present version under a name."""

import sys

from tests.ageing.ledgers import keep
from tests.seals import fix_salts

if __name__ == "__main__":
    fix_salts()
    keep(sys.argv[1])
