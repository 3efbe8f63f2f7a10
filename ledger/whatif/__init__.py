"""What-if: every entry since a change, decided as if something else had been declared. Nothing is written.

`whatif` runs both worlds, `run` decides the entries of the changed one, `record` folds those on record beside it until
both are the same, `turns` knows which turns are passed in it, `outcomes` names the outcome of each entry,
`remedies` the lines that would keep one that falls away.
"""

from ledger.whatif.outcomes import EDITED, Edit, Edits, EntryOutcome, Need, WhatIfResult
from ledger.whatif.remedies import Remedy, RemedyLine
from ledger.whatif.run import last_insert
from ledger.whatif.whatif import WhatIf
