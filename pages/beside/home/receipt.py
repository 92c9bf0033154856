"""A receipt for the learner's teacher: one signed line of what was solved in this visit."""

from datetime import UTC, datetime
from secrets import token_hex

from pages.kit.part import Part
from pages.server.record.receipt import LONGEST_NAME, Receipt, as_name, secret_of_host, signed
from pages.server.record.session_record import solved

VISIT = "receipt_visit"  # state: a random id, the same in all receipts of a visit


def show(p: Part) -> None:
    """Ask for a name, and offer the line to copy or to save."""
    p.heading("title")
    secret = secret_of_host()
    if secret is None:
        p.button("receipt_none", label="no_secret", icon="block", disabled=True)
        return
    here = solved(is_loaded=False)
    n_loaded = sum(map(len, solved(is_loaded=True).values()))
    p.say("lead", n=sum(map(len, here.values())))
    if n_loaded:
        p.note("loaded", icon="replay", n=n_loaded)
    if not here:
        return
    if not (name := as_name(p.typed("receipt_name", "name", longest=LONGEST_NAME))):
        p.caption("no_name")
        return
    now = datetime.now(UTC)
    visit = p.state.setdefault(VISIT, token_hex(8))
    date = now.strftime("%Y-%m-%d %H:%M UTC")
    line = signed(Receipt(name=name, date=date, visit=visit, solved=here), secret)
    p.program(line, None, wrap_lines=True)
    file = f"receipt-{now:%Y-%m-%d}.txt"
    p.download("receipt_save", line + "\n", file, "text/plain", "save")
