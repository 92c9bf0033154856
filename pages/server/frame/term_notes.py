"""What a term means, beside the text: on hover, on focus, and on a tap.

A term in a text is a link to the glossary with its definition as title (terms.py). A browser
shows a title to a mouse only, so one small script shows it in a note, to the keyboard and to
touch too. Escape closes the note. Its links open the view that shows the term, and the glossary,
in a new tab; Enter and a click on the term open the glossary. Without the script the term's link
and its title are still there.
"""

import streamlit as st

from pages.server.course.terms import GLOSSARY
from pages.server.course.words import read_words
from pages.server.figures.sent_code import packed_script

LINK = f'a[href^="{GLOSSARY}"]'

STYLE = f"""
.st-key-term_notes {{ display: none; }}
[data-testid="stMarkdownContainer"] {LINK} {{ color: inherit; cursor: help;
  text-decoration: underline dotted; text-underline-offset: .2em; }}
#mlm-term-note {{ position: fixed; z-index: 999990; max-width: min(24rem, calc(100vw - 2rem));
  padding: .5rem .75rem; border: 1px solid currentColor; border-radius: .5rem; font-size: .9rem;
  line-height: 1.4; background: light-dark(#fff, #1b212b); color: light-dark(#1c2430, #e6eaf0); }}
#mlm-term-note a {{ color: inherit; text-decoration: underline; white-space: nowrap; }}
@media print {{ #mlm-term-note {{ display: none; }} }}
"""

_mount = st.components.v2.component(
    "mlm_term_notes",
    html="<span></span>",
    js=packed_script(
        """
const LINK = '"""
        + LINK
        + """';
const WAIT = 250; // ms to move the mouse from the term to its note

function start(state) {
  const note = Object.assign(document.createElement("div"), { id: "mlm-term-note", hidden: true });
  note.setAttribute("role", "tooltip");
  let at = null, leaving = 0;
  const hide = () => { note.hidden = true; at?.removeAttribute("aria-describedby"); at = null; };
  const leave = () => { clearTimeout(leaving); leaving = setTimeout(hide, WAIT); };
  const show = (link) => {
    clearTimeout(leaving);
    if (link === at) return;
    hide();
    if (link.title) { link.dataset.note = link.title; link.removeAttribute("title"); }
    const to = (href, textContent) => [" ", Object.assign(document.createElement("a"), {
      href, textContent, target: "_blank", rel: "noopener" })];
    const view = link.hash && to(link.hash.slice(1), state.view);
    if (!note.isConnected) document.querySelector(".stApp").append(note);
    note.replaceChildren(link.dataset.note, ...view, ...to(link.href, state.more));
    note.hidden = false;
    link.setAttribute("aria-describedby", note.id);
    const of = link.getClientRects()[0], own = note.getBoundingClientRect();
    const under = of.bottom + own.height + 8 < innerHeight;
    note.style.top = (under ? of.bottom + 4 : of.top - own.height - 4) + "px";
    note.style.left = Math.max(8, Math.min(of.left, innerWidth - own.width - 16)) + "px";
    at = link;
  };
  const term = (event) => event.target.closest?.(LINK);
  const inside = (target) => target instanceof Node && note.contains(target);
  document.addEventListener("mouseover", (event) => {
    if (inside(event.target)) clearTimeout(leaving);
    else if (term(event) && !inside(event.target)) show(term(event));
    else if (at && at !== document.activeElement) leave();
  });
  document.addEventListener("focusin", (event) => {
    if (term(event) && !inside(event.target)) show(term(event));
    else if (at && !inside(event.target)) hide();
  });
  document.addEventListener("click", (event) => {
    if (inside(event.target)) return;
    const link = term(event);
    if (link && matchMedia("(hover: none)").matches) { event.preventDefault(); show(link); }
    else if (!link && at) hide();
  }, true);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  document.addEventListener("scroll", hide, true);
}

export default function ({ data }) {
  if (!window.mlmTermNotes) start(window.mlmTermNotes = {});
  Object.assign(window.mlmTermNotes, data);
}
"""
    ),
)


def prepare_term_notes() -> None:
    """Send the script that shows the notes, once a page."""
    words = read_words("frame")
    _mount(
        key="term_notes",
        data={"view": words.plain("term_view"), "more": words.plain("term_more")},
    )
