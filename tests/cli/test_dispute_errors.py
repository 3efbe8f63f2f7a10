"""Wrong usage and refusals of `whatif`, `amend`, `undo`, `replay` and `rulings`."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Folder, copied
from tests.cli.disputes import BECAUSE, outcomes, unchanged


@pytest.mark.quick_rows(6)
@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["whatif"], "No change is given. Write ENTRY CHANGE, --drop, --insert or --option."),
        (["whatif", "1.5"], "the change is empty. Write what is different, as in: 1.5 v4. --drop, --insert and"),
        (["whatif", "1.5", ""], "the change is empty"),
        (["whatif", "", "v4"], "'' is not an entry id. Write it as 3.42"),
        (["whatif", "99999999.1", "v4"], "'99999999.1' is not an entry id"),
        (["whatif", "1.4.5", "v4"], "'1.4.5' is not an entry id"),
        (["whatif", "1.4@2", "v4"], "'1.4@2' is not an entry id"),
        (["whatif", "٣.٥", "v4"], "is not an entry id"),
        (["whatif", "1.5+99999", "v4"], "is not an entry id"),
        (["whatif", "1.999999", "v4"], "there is no entry 1.999999. The entry before it is 1.45."),
        (["whatif", "1.5+1", "v4"], "there is no entry 1.5+1. The entry before it is 1.5."),
        (["whatif", "9.1", "v4"], "there is no entry 9.1. The entry before it is 3.39."),
        (["whatif", "1.5\x1b[31m", "v4"], "'1.5\\x1b[31m' is not an entry id"),
        (["whatif", "1.5", "v4\x1b[31m"], "column 3: '\\x1b' is an invisible or control character"),
        (["whatif", "1.5", "v4\x00"], "column 3: '\\x00'"),
        (["whatif", "1.5", "x" * 100_000], "column 2001: 100000 characters are too many"),
        (["whatif", "1.5", "v" + "9" * 1000], "is not a whole number"),
        (["whatif", "1.5", "/" + "1." * 50_000 + "1"], "characters are too many"),
        (["whatif", "1.5", '+1"in cover'], "a quotation mark is not closed"),
        (["whatif", "1.5", "/7.6", "/7.6"], "faces are given twice"),
        (["whatif", "1.5", "/seven"], "'/seven' are not faces. Write them as in /7.6."),
        (["whatif", "1.5", "v4", "--drop", "1.5"], "entry 1.5 is changed twice. Put the whole change into one."),
        (["whatif", "--drop", "1.5", "--drop", "1.5"], "entry 1.5 is changed twice"),
        (["whatif", "--drop", "9.9"], "there is no entry 9.9"),
        (["whatif", "--drop", "x"], "'x' is not an entry id"),
        (["whatif", "--banana"], "No such option '--banana'."),
        (["whatif", "1.5", "v4", "--dorp=1.6"], "No such option '--dorp'."),
        (["whatif", "--faces", "1.5", ""], "are not faces"),
        (["whatif", "--faces", "1.5", "k sneak"], "are not faces"),
        (["whatif", "--faces", "9.5", "/7.6"], "there is no entry 9.5"),
        (["whatif", "--insert", "1.5", ""], "--insert: the inserted line is empty. Write a line."),
        (["whatif", "--insert", "1.5", "; a comment"], "--insert: the inserted line is empty"),
        (["whatif", "--insert", "1.5", "banana split"], "'banana' is nobody in play"),
        (["whatif", "--insert", "1.5", "k sneak v"], "column "),
        (["whatif", "--insert", "1.5", "~ 1 v4"], "'~' is nobody in play"),
        (["whatif", "--insert", "1.5", "undo"], "'undo' is a line of its own"),
        (["whatif", "--insert", "1.99", "# x"], "there is no entry 1.99"),
        (["whatif", "--insert", "0.0", "k sneak v4"], "'k' is nobody in play. There is none yet."),
        (["whatif", "--option", "banana=1"], "'banana' is not an option of this book. There is: situational_ease"),
        (["whatif", "--option", "light_wound_costs=per_use"], "The nearest: light_wound_cost"),
        (["whatif", "--option", "light_wound_cost"], "'light_wound_cost' lacks its reading. Write it as "),
        (["whatif", "--option", "target_change_per_point=13"], "'13' is not a reading of target_change_per_point"),
        (["whatif", "--option", "x" * 100_000], "--option: 100000 characters are too many"),
        (["whatif", "--option", "\x1b[31m=1"], "--option: '\\x1b'"),
        (["whatif", "--session", "2"], "--session needs --option."),
        (["whatif", "--session", "9", "--option", "light_wound_cost=per_use"], "--session: there is no session 9"),
        (["amend", "1.5", "v4"], "Missing option '--because'."),
        (["amend", "1.5", "v4", "--because", " "], "--because is empty. Write the reason for the correction."),
        (["amend", "1.5", "v4", "--because", "\x1b[31m"], "--because: '\\x1b'"),
        (["amend", "1.5", "v4", "--because", "x" * 100_000], "--because: 100000 characters are too many"),
        (["amend", "1.5", "v4", *BECAUSE, "--by", "\x07"], "--by: '\\x07'"),
        (["amend", "1.5", "v4", *BECAUSE, "--agreed", "Ana,\x07"], "agreed: '\\x07'"),
        (["amend", "1.5", "v4", *BECAUSE, "--retcon", "--stand"], "Choose one outcome: --retcon or"),
        (["amend", *BECAUSE], "No change is given. Write ENTRY CHANGE, --drop or --insert."),
        (["undo", "x"], "'x' is not an entry id"),
        (["undo", ""], "'' is not an entry id"),
        (["undo", "1.4@1"], "'1.4@1' is not an entry id"),
        (["undo", "--because", "\x1b"], "--because: '\\x1b'"),
        (["replay", "9"], "there is no session 9. Leave it out to replay all."),
        (["replay", "1", "--session", "1"], "Name the session once."),
        (["replay", "--option", "banana=1"], "'banana' is not an option of this book"),
        (["rulings", "--at", "x"], "'x' is not an entry id"),
        (["rulings", "--as-of", "999999"], "the ledger ends at position 172."),
    ],
    ids=lambda part: " ".join(part)[:50] if isinstance(part, list) else "",
)  # fmt: skip
def test_unreadable_or_missing_is_wrong_usage(demo, command, says):
    assert says in unchanged(demo, *command, code=2)


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["whatif", "1.5", "v13"], "DB-E-DIFFICULTY: entry 1.5: Difficulty must be"),
        (["whatif", "1.5", "/13.1"], "DB-E-DIE: entry 1.5: A die must show 1 to 12"),
        (["whatif", "1.5", "/7"], "DB-E-DIE: entry 1.5: "),
        (["whatif", "--faces", "1.5", "/7.6.5"], "DB-E-DIE: entry 1.5: "),
        (["whatif", "--faces", "1.16", "/0.1"], "DB-E-DIE: entry 1.16: "),
        (["whatif", "--insert", "1.5", "k destiny reroll"], "DB-E-DESTINY-NONE: entry 1.5+1: "),
        (["whatif", "--drop", "0.0"], "L-AMEND: entry 0.0 cannot be amended. Amend another entry"),
        (["whatif", "--drop", "1.0"], "L-AMEND: entry 1.0 cannot be amended"),
        (["whatif", "--drop", "1.1"], "L-AMEND: entry 1.1 cannot be amended"),
        (["whatif", "--drop", "1.42"], "L-AMEND: entry 1.42 cannot be amended"),
        (["whatif", "1.1", 'Ana words "tin drum"'], "L-AMEND: entry 1.1 cannot be amended"),
        (["whatif", "1.5", 'Ana words "tin drum"'], "L-AMEND: this declaration is not allowed in a correction at 1.5"),
        (
            ["whatif", "--insert", "1.0", 'Ana words "tin drum"'],
            "L-AMEND: this declaration is not allowed in a correction",
        ),
        (["whatif", "--drop", "1.32"], "L-AMEND: entry 1.32 is a correction itself. Undo it: campaign undo 1.32."),
        (["amend", "--drop", "1.42", *BECAUSE, "--retcon"], "L-AMEND: entry 1.42 cannot be amended"),
        (["amend", "--drop", "1.32", *BECAUSE], "L-AMEND: entry 1.32 is a correction itself"),
        (
            ["undo", "1.5"],
            "L-UNDO: entry 1.5 is not a correction. `undo` takes the last line or a correction; to remove 1.5 use:",
        ),
        (["undo", "9.9"], "L-UNDO: there is no entry 9.9. Look at the log"),
        (["undo", "1.32"], "L-UNDO: entry 1.31 has been changed since"),
        (["undo"], "L-UNDO: there is no line to undo. The opening and closing of a session cannot be undone."),
    ],
    ids=lambda part: " ".join(part)[:50] if isinstance(part, list) else "",
)
def test_refused_correction_writes_nothing(demo, command, says):
    assert unchanged(demo, *command, code=1).startswith(says)


def test_read_only_ledger_can_be_asked(demo, tmp_path):
    folder = copied(demo, tmp_path)
    folder.ledger.chmod(0o400)
    assert outcomes(folder.run("whatif", "1.5", "v4"))["1.5"] == "amended"
    folder.run("rulings")


def test_file_that_is_no_ledger_is_damaged(tmp_path):
    folder = Folder(tmp_path)
    folder.file("ledger.db", b"nothing of the kind" * 100)
    for command in (["whatif", "1.1", "v4"], ["amend", "1.1", "v4", *BECAUSE], ["undo", "1.1"], ["rulings"]):
        assert folder.invoke(*command).exit_code == 3
