let growing, grows;  // what looks at the sizes, and the figure among them
const again = (land, ms = Infinity) => {  // while the page grows, until the reader moves it
  growing?.disconnect();
  const mine = growing = new ResizeObserver(land), end = () => mine.disconnect();
  grows = undefined;
  growing.observe(document.querySelector(".stMainBlockContainer"));
  if (ms < Infinity) setTimeout(end, ms);
  for (const name of ["wheel", "pointerdown", "keydown"])
    addEventListener(name, end, { once: true });
};
const OVER = "#presenting-corner, .st-key-room_bar";
const projected = () => {
  const opening = document.querySelector(".st-key-opening_figure");
  const part = document.querySelector(".st-key-part_top");
  const isOpening = opening?.checkVisibility();
  const isIn = (one) => isOpening ? opening.contains(one) :
    part?.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
  const keys = [...document.querySelectorAll('[class*="_keep"]')].filter(isIn)
    .map((one) => /st-key-([^ ]+)_keep(?: |$)/.exec(one.className)?.[1]);
  const figureOf = (key) => document.querySelector(`.st-key-${key}`);
  const key = keys.find((one) => one && figureOf(one)?.checkVisibility());
  return { key, figure: key && figureOf(key), top: isOpening ? null : part };
};
const showWholeFigure = () => {
  if (!isProjected()) return;
  const { figure, top } = projected();
  const main = document.querySelector('[data-testid="stMain"]');
  const edge = (selector, side, other) =>
    document.querySelector(selector)?.getBoundingClientRect()[side] ?? other;
  const ceiling = Math.max(0, edge('[class*="st-key-room_banner"]', "bottom", 0));
  if (top) main.scrollTop += top.getBoundingClientRect().top - ceiling; else main.scrollTop = 0;
  if (!figure) return;
  if (grows !== figure) growing?.observe(grows = figure);  // it may grow where the page doesn't
  const box = figure.getBoundingClientRect();
  // Above what lies over the page there, if there is room.
  const floor = Math.min(innerHeight, ...[...document.querySelectorAll(OVER)]
    .map((one) => one.getBoundingClientRect())
    .filter(({ left, right, top }) =>
      left < box.right && box.left < right && box.height <= top - ceiling)
    .map(({ top }) => top));
  main.scrollTop += Math.max(0, Math.min(box.bottom - floor, box.top - ceiling));
};
const PROJECTED = ["st-key-part_top", "st-key-opening_figure"];
const isProjected = () => document.querySelector(PROJECTED.map((of) => `[data-presenting] .${of}`));
window.mlmProject = () => {
  const { key, top } = isProjected() ? projected() : {};
  const shown = isProjected() && `${location.pathname} ${Boolean(top)} ${key}`;
  if (window.mlmProjected === shown) return;
  window.mlmProjected = shown;
  if (shown) { showWholeFigure(); again(showWholeFigure); }
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
    const heading = data.focuses && place.querySelector("h3");
    if (heading) { heading.tabIndex = -1; heading.focus({ preventScroll: true }); }
    if (projects()) showWholeFigure();
  };
  again(land, projects() ? Infinity : 5000);
};
