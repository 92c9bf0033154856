const IS_TYPED_IN = `input:not([type="checkbox"], [type="radio"]), textarea, select,
  [contenteditable="true"], [role="textbox"]`;
const isIn = (event, what) => event.composedPath().some((one) => one.matches?.(what));
const WAY = { ArrowLeft: 0, ArrowRight: 1, PageUp: 0, PageDown: 1 };  // a clicker sends the latter
const HAS_PAGES = `${IS_TYPED_IN}, .film, [role="slider"], [role="spinbutton"],
  [role="listbox"], [role="combobox"], [role="menu"], [role="grid"]`;
const HAS_LETTERS = `[role="listbox"], [role="menu"], [role="grid"]`;
const HAS_ARROWS = `${HAS_PAGES}, [type="radio"], [role="radio"], [role="tab"], [data-row]`;
const buttonOf = (key) => document.querySelector(`.st-key-${key} button`);
const root = document.documentElement, PRESSED = "keys_of_one_letter";  // kept by the tab
const isLetter = (event, letters) => event.key.length === 1 &&
  letters.includes(event.key.toLowerCase()) &&
  !event.ctrlKey && !event.metaKey && !event.altKey && !isIn(event, IS_TYPED_IN);
const areLettersOn = () => sessionStorage.getItem(PRESSED) !== "off";

const step = (event, steps) => {
  const ways = steps.find((pair) => pair.some(buttonOf));
  const button = ways && buttonOf(ways[WAY[event.key]]);
  const isPage = event.key.startsWith("Page");
  if (isPage && !("presenting" in root.dataset)) return;
  const keeps = isPage ? HAS_PAGES : HAS_ARROWS;
  if (!button || event.defaultPrevented || event.shiftKey || isIn(event, keeps)) return;
  event.preventDefault();
  if (!event.repeat) button.click();
};

// The menu in the corner: the way out, and what is projected instead.
const showMenu = (isOpen) => {
  root.toggleAttribute("data-menu", isOpen);
  const chosen = document.querySelector('.st-key-steps [aria-checked="true"]');
  const menu = document.getElementById("presenting-menu");
  menu?.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) chosen?.focus();
};
const drawCorner = (data, leave) => {
  document.getElementById("presenting-corner")?.remove();
  showMenu(false);
  if (!data.on) return;
  const corner = document.createElement("div");
  corner.id = "presenting-corner";
  const add = (id, text, press) => {
    const button = document.createElement("button");
    Object.assign(button, { id, type: "button", textContent: text, onclick: press });
    corner.append(button);
  };
  // The parts may be drawn later than this: until then, the style hides what leads to them.
  add("next-figure", data.next, () => window.mlmNextFigure());
  add("show-opening", data.opening, () => { showMenu(false); window.mlmFold?.(false); });
  add("presenting-menu", data.menu, () => showMenu(!root.hasAttribute("data-menu")));
  add("leave-presenting", data.leave[areLettersOn() ? 0 : 1], leave);
  (document.querySelector('[data-testid="stApp"]') ?? document.body).append(corner);
  document.getElementById("next-figure").hidden = true;
  showMenu(false);
};

// What is in view is projected: the opening is folded where the part's heading is higher.
const foldWhatIsNotInView = () => {
  const part = document.querySelector(".st-key-part_top");
  if (part && !root.classList.contains("mlm-folded")) {
    window.mlmFold?.(part.getBoundingClientRect().top < window.innerHeight / 2);
  }
};

export default function ({ data, parentElement, setTriggerValue }) {
  const enter = parentElement.querySelector("button");
  const letters = parentElement.querySelector("input");
  const nameEnter = () => { enter.textContent = data.enter[areLettersOn() ? 0 : 1]; };
  parentElement.querySelector("span").textContent = data.letters;
  letters.checked = areLettersOn();
  letters.onchange = () => {
    sessionStorage.setItem(PRESSED, letters.checked ? "on" : "off");
    nameEnter();
  };
  nameEnter();
  const zoom = () =>
    Math.min(data.largest, Math.max(data.smallest, window.innerWidth / data.width));
  const toggle = () => {
    if (!data.on) foldWhatIsNotInView();
    setTriggerValue("toggled", zoom());
  };
  enter.onclick = toggle;
  window.togglePresenting = toggle;
  const enlarge = () => root.style.setProperty("--presenting-zoom", zoom());
  enlarge();
  // A page that was opened by a link has charts for another screen.
  if (data.on && Math.abs(zoom() / data.zoom - 1) > 0.1) setTriggerValue("measured", zoom());
  root.toggleAttribute("data-presenting", data.on);
  drawCorner(data, toggle);
  window.mlmProject?.();
  if (window.listensForPresenting) return;
  window.listensForPresenting = true;
  window.addEventListener("resize", enlarge);
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in WAY) step(event, data.steps);
    if (event.key === "Escape" && root.hasAttribute("data-menu")) {
      showMenu(false);
      document.getElementById("presenting-menu")?.focus();
    }
    if (isLetter(event, "p") && areLettersOn()) window.togglePresenting();
  });
  window.addEventListener("keydown", (event) => {
    if (areLettersOn() || !isLetter(event, "rc") || isIn(event, HAS_LETTERS)) return;
    event.stopImmediatePropagation();
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest?.('.st-key-steps [role="radio"]')) showMenu(false);
  }, true);  // its own listener lets a press go no further
}
