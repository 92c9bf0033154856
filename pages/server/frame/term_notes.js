const LINK = 'a[href^="look_it_up?"]';
const WAIT = 250;  // ms to move the mouse from the term to its note

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
