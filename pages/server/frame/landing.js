const VOTES = ".st-key-room_bar", OVER = `#presenting-corner, ${VOTES}`;
let growing, grows;  // what looks at the sizes, and the figure among them
const again = (land, ms = Infinity) => {  // while the page grows, until the reader moves it
  growing?.disconnect();
  const mine = growing = new ResizeObserver(land), end = () => mine.disconnect();
  grows = undefined;
  // The votes above the figure's floor may come later, and get higher.
  for (const one of document.querySelectorAll(`.stMainBlockContainer, ${VOTES}`))
    growing.observe(one);
  if (ms < Infinity) setTimeout(end, ms);
  for (const name of ["wheel", "pointerdown", "keydown"])
    addEventListener(name, end, { once: true });
};
const figureOf = (key) => document.querySelector(`.st-key-${key}`);
let chosen = 0;  // which of the figures is projected
let above;  // how many bars are over it
const projected = () => {
  const opening = document.querySelector(".st-key-opening_figure");
  const part = document.querySelector(".st-key-part_top");
  const isOpening = opening?.checkVisibility();
  const isIn = (one) => isOpening ? opening.contains(one) :
    part?.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
  const keys = [...document.querySelectorAll('[class*="_keep"]')].filter(isIn)
    .map((one) => /st-key-([^ ]+)_keep(?: |$)/.exec(one.className)?.[1])
    .filter((one) => one && figureOf(one)?.checkVisibility());
  return { keys, figure: figureOf(keys[chosen] ?? keys[0]), top: isOpening ? null : part };
};
const drawingOf = (figure) => [...figure.querySelectorAll("*")]
  .flatMap((one) => [...one.shadowRoot?.querySelectorAll(".drawn > svg, .fits") ?? []])
  .find((one) => one.getClientRects().length);
const BANNER = '[data-testid="stLayoutWrapper"]:has(> * > * > [class*="st-key-room_banner"])';
const boxOf = (one) => one.getBoundingClientRect();
// What the banner above and the bars below leave of the screen for a figure.
const roomFor = (figure) => {
  const { left, right } = boxOf(drawingOf(figure) ?? figure);
  const tops = [...document.querySelectorAll(OVER)].map(boxOf)
    .filter((over) => over.left < right && left < over.right).map(({ top }) => top);
  const banner = document.querySelector(BANNER);
  return { ceiling: Math.max(0, banner ? boxOf(banner).bottom : 0),
    floor: Math.min(innerHeight, ...tops) };
};
const isWhole = (figure) => {
  const { top, bottom } = boxOf(figure), { ceiling, floor } = roomFor(figure);
  return top > ceiling - 1 && bottom < floor + 1;
};
const showWholeFigure = () => {
  if (!isProjected()) return;
  const { figure, top } = projected();
  const main = document.querySelector('[data-testid="stMain"]');
  const { ceiling, floor } = roomFor(figure ?? main), drawn = figure && drawingOf(figure);
  if (drawn) {
    const room = floor - ceiling - boxOf(figure).height + boxOf(drawn).height - 1;  // it is rounded
    const { style } = document.documentElement;
    style.setProperty("--figure-room", `${room / figure.currentCSSZoom}px`);
  }
  if (top) main.scrollTop += boxOf(top).top - ceiling; else main.scrollTop = 0;
  if (!figure) return;
  if (grows !== figure) growing?.observe(grows = figure);  // it may grow where the page doesn't
  const box = boxOf(figure);
  main.scrollTop += Math.max(0, Math.min(Math.ceil(box.bottom - floor), box.top - ceiling));
  offerNext();
};
const offerNext = () => {
  const next = document.getElementById("next-figure");
  const isShown = (key, i) => i === chosen || isWhole(figureOf(key));
  if (next) next.hidden = !chosen && projected().keys.every(isShown);
};
window.mlmNextFigure = () => {
  const { keys } = projected(), places = keys.map((_, i) => (chosen + 1 + i) % keys.length);
  chosen = places.find((i) => !isWhole(figureOf(keys[i]))) ?? 0;
  showWholeFigure();
  again(showWholeFigure);
};
const PROJECTED = ["st-key-part_top", "st-key-opening_figure"];
const isProjected = () => document.querySelector(PROJECTED.map((of) => `[data-presenting] .${of}`));
window.mlmProject = () => {
  const { keys, top } = isProjected() ? projected() : {};
  const shown = isProjected() && `${location.pathname} ${Boolean(top)} ${keys[0]}`;
  const nOver = shown && document.querySelectorAll(VOTES).length;
  if (shown) offerNext();
  if (window.mlmProjected === shown && above === nOver) return;
  if (window.mlmProjected !== shown) chosen = 0;
  window.mlmProjected = shown;
  above = nOver;
  if (shown) { showWholeFigure(); again(showWholeFigure); }
  else document.documentElement.style.removeProperty("--figure-room");
};
window.mlmLand = (data) => {
  if (window.mlmLanded === data.landing) return;
  window.mlmLanded = data.landing;
  if (data.folds !== undefined) window.mlmFold?.(data.folds);
  const projects = () => isProjected() && PROJECTED.includes(data.of_class);
  const land = () => {
    const place = document.querySelector("." + data.of_class);
    if (!place) return;
    const row = document.querySelector('.st-key-steps [role="radiogroup"]');
    const chosen = row?.querySelector('[aria-checked="true"]');
    if (chosen) row.scrollLeft = chosen.offsetLeft - row.offsetLeft - 8;
    const height = (name) => document.querySelector(".st-key-" + name)?.offsetHeight ?? 0;
    const steps = height("steps"), banner = height("room_banner");
    place.style.scrollMarginTop =
      (innerWidth > 640 && steps ? steps + banner + 12 : 76 + (banner || steps)) + "px";
    place.scrollIntoView({ block: data.block ?? "start" });
    const focused = data.focuses && (place.querySelector("h3") ?? place);
    if (focused) { focused.tabIndex = -1; focused.focus({ preventScroll: true }); }
    if (projects()) showWholeFigure();
  };
  again(land, projects() ? Infinity : 5000);
};
