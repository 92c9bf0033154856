"""Style, script and drawings as they are sent: with every page, or with every part."""

import base64
import json
import zlib

from pages.server.process.browser_code import without_spaces

# What unpacks in the browser what `packed` gave; each packed script brings it.
UNPACK = """
window.unpack = (bytes) => new Response(
new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
"""


def packed(text: str) -> bytes:
    """Return a text as it is sent: a sixth of the bytes, for 1 ms of the server a 60 kB drawing.

    >>> zlib.decompress(packed("<svg/>"))
    b'<svg/>'
    """
    return zlib.compress(text.encode())


def packed_script(module: str) -> str:
    """Return a script that does what this module's default export does, in half of the bytes.

    The module is given as code_of() reads it.
    """
    code = base64.b64encode(zlib.compress(module.encode(), 9)).decode()
    return f"""{UNPACK}const code = unpack(Uint8Array.from(atob("{code}"), (c) => c.charCodeAt(0)));
const module = code.then((text) =>
import(URL.createObjectURL(new Blob([text], {{ type: "text/javascript" }}))));
export default async (component) => (await module).default(component);
"""


def putting(style: str, name: str) -> str:
    """Return a line of a script that puts a style into the page, once, under a name.

    It is the last of the page, so that it wins over the page's own of equal weight.
    """
    made = json.dumps({"id": name, "textContent": style})
    return (
        f'document.getElementById("{name}") ?? '
        f'document.body.append(Object.assign(document.createElement("style"), {made}));\n'
    )


# Runs a module that comes with its data, where base64 would cost a third more.
RUN_SENT = f"""{UNPACK}let module;
export default async (component) => {{
const [style, code] = (await unpack(component.data)).split("\\0");
module ??= import(URL.createObjectURL(new Blob([code], {{ type: "text/javascript" }})));
(await module).default(style);
}};
"""


def style_and_module(style: str, module: str) -> bytes:
    """Return the data of a component with `RUN_SENT`; the default export gets the style."""
    code = f"{without_spaces(style)}\0{module}"
    return zlib.compress(code.encode(), 9)
