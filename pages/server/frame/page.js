const SCROLLING = '.katex-display, .stCode pre, [data-testid="stVerticalBlock"][overflow="auto"]' +
  ', [data-testid="stMarkdownContainer"]:has(> table)';

const closeMenuOnPhones = () => {
  const open = () => innerWidth <= 768 &&
    document.querySelector('[data-testid="stSidebar"][data-collapsed="false"]');
  const close = (menu) =>
    menu.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
  let isSwallowed = false;
  const swallow = (event) => {
    const menu = open();
    if (event.type === "pointerdown") {
      isSwallowed = Boolean(menu) && event.isTrusted && !menu.contains(event.target) &&
        document.querySelector('[data-testid="stMain"]').contains(event.target);
    }
    if (!isSwallowed || !event.isTrusted || (event.type === "click" && !event.detail)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    if (event.type === "pointerup" && menu) setTimeout(close, 0, menu);
  };
  for (const kind of ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend",
    "click"]) window.addEventListener(kind, swallow, { capture: true, passive: false });
  document.addEventListener("click", (event) => {
    const menu = open();
    if (menu && event.target.closest('[data-testid="stPageLink"] a')) setTimeout(close, 0, menu);
  });
};

// A pressed button that is gone leaves the focus to what is in its place now. Streamlit would leave
// it to the page's top. What leads elsewhere (landing.js) has the last word.
const FOCUSED = "button:enabled, input:enabled, textarea, select, a[href], [tabindex='0']";
let pressed, page, around = [];
const noteFocus = ({ target }) => {
  pressed = target.closest('[data-testid="stMain"]') && target;
  [page, around] = [location.pathname, []];
  for (let one = pressed; one?.parentElement; one = one.parentElement) {
    around.push([one.parentElement, [...one.parentElement.children].indexOf(one)]);
  }
};
const passFocus = () => {
  if (!pressed || pressed.isConnected || document.activeElement !== document.body) return;
  const [place, at] = around.find(([one]) => one.isConnected) ?? [];
  pressed = null;
  if (page !== location.pathname || !place?.closest('[data-testid="stMain"]')) return;
  const next = [...place.children].slice(at).flatMap((one) =>
    [...(one.matches(FOCUSED) ? [one] : []), ...one.querySelectorAll(FOCUSED)]);
  next.find((one) => one.checkVisibility())?.focus({ preventScroll: true });
};

export default function (component) {
  document.documentElement.lang = component.data.language;
  rememberViews(Object.fromEntries(component.data.views));
  window.mlmLost = component.data.lost;
  if (window.reachesWhatScrolls) return;
  closeMenuOnPhones();
  window.reachesWhatScrolls = true;
  let isDue = false;
  const reach = () => {
    isDue = false;
    passFocus();
    watchCharts();
    window.mlmProject();
    for (const part of document.querySelectorAll(SCROLLING)) {
      const { overflowX, overflowY } = getComputedStyle(part);
      const scrolls = (overflowX === "auto" && part.scrollWidth > part.clientWidth) ||
        (overflowY === "auto" && part.scrollHeight > part.clientHeight);
      if (scrolls) part.tabIndex = 0; else part.removeAttribute("tabindex");
    }
    const [title, text] = document.querySelectorAll('[role="dialog"] > :is(h2, h2 + *)');
    if (text && title.textContent === "Connection error") {
      [title.dataset.lost, text.dataset.lost] = window.mlmLost;
    }
  };
  const soon = () => { if (!isDue) { isDue = true; requestAnimationFrame(reach); } };
  new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
  window.addEventListener("resize", soon);
  document.fonts.addEventListener("loadingdone", soon);
  document.addEventListener("focusin", noteFocus);
  soon();
}
