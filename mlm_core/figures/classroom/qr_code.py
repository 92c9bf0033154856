"""A link as a QR code, black on white in both themes, as large as its place."""

import io

from mlm_core.figures.theme import escaped

QUIET_ZONE = 4  # modules, which the standard asks for around the code
LONGEST_LINK = 2_000  # characters; a code of more is too fine for the back row

STYLE = """
.qr-code svg { display: block; width: 100%; max-width: 34rem; height: auto; }
"""


def qr_svg(link: str, *, alt: str) -> str:
    """Return the code as an SVG in a box. Raises ValueError for too long a link.

    Error correction is segno's lowest that fits, so the modules are as large as they can be.
    """
    import segno

    if len(link) > LONGEST_LINK:
        raise ValueError(f"a link of {len(link)} characters makes too fine a QR code: shorten it")
    drawn = io.BytesIO()
    code = segno.make_qr(link, error="m")
    code.save(
        drawn,
        kind="svg",
        border=QUIET_ZONE,
        dark="#000",
        light="#fff",
        xmldecl=False,
        svgns=True,
        omitsize=True,
        svgclass=None,
        lineclass=None,
    )
    svg = drawn.getvalue().decode().strip()
    named = svg.replace("<svg ", f'<svg role="img" aria-label="{escaped(alt)}" ', 1)
    return f'<div class="qr-code">{named}</div>'
