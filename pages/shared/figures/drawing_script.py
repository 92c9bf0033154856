"""What the browser does with our drawings: shows, moves and plays them, reports clicks."""

# A drawing is sent packed and without style or script, which come with the page, once. Whichever
# of the two arrives first, a drawing appears when both are there, and never without its style.
SCRIPT = """
// Of a drawing's wide and narrow form, one is shown.
const find = (box, part) =>
  [...box.querySelectorAll(part)].find((one) => one.getClientRects().length);
const has = (value) => `[data-value="${CSS.escape(value)}"]`;

// What scrolls by itself has to be reached with the keyboard, which then scrolls it.
const reach = (box) => box.querySelectorAll("div").forEach((part) => {
  const scrolls = part.scrollWidth > part.clientWidth &&
    ["auto", "scroll"].includes(getComputedStyle(part).overflowX);
  if (scrolls) part.tabIndex = 0; else part.removeAttribute("tabindex");
});

// What has its like in the drawing before moves from there, fades or flips: cause is seen.
const MOVED = ["x", "y", "width", "height", "cx", "cy", "r", "stroke-width"];
const SHADED = ["fill-opacity", "stroke-opacity", "opacity", "fill"];
const MOST_MOVED = 2000;
const moves = matchMedia("(prefers-reduced-motion: no-preference)");

const change = (before, now) => {
  const from = {};
  for (const name of [...MOVED, ...SHADED, "d"]) {
    const [a, b] = [before.getAttribute(name), now.getAttribute(name)];
    if (a === null || b === null || a === b) continue;
    if (name === "d") from.d = `path("${a}")`;
    else if (`${a}${b}`.includes("url(")) from.opacity = 0;
    else from[name.replace(/-(.)/, (_, c) => c.toUpperCase())] =
      MOVED.includes(name) ? `${parseFloat(a)}px` : a;
  }
  if (now instanceof HTMLElement && !now.children.length) {
    if (before.textContent !== now.textContent) from.transform = "rotateX(90deg)";
    else if (before.className !== now.className) from.opacity = 0;
  }
  return from;
};

const move = (box, before) => {
  const now = [...box.querySelectorAll("*")];
  if (!moves.matches || now.length > MOST_MOVED) return;
  for (const tag of new Set(now.map((one) => one.tagName))) {
    const [old, ours] = [before, now].map((all) => all.filter((one) => one.tagName === tag));
    if (old.length === ours.length) ours.forEach((one, i) => {
      const from = change(old[i], one);
      if (Object.keys(from).length) one.animate([from, {}], { duration: 350, easing: "ease-out" });
    });
  }
};

// What a part's title says stands at it at once, for a mouse, a finger and the focus; a browser's
// own note comes late and under a mouse alone, so there is none while ours is shown.
const hush = (box) => { box.untold?.(); box.untold = box.told = null; };

const tell = (box, { target, type }) => {
  const part = target.closest("[title], :has(> title)");
  if (part === box.told) return;
  hush(box);
  if (!part) return;
  const own = part.querySelector(":scope > title"), text = own ? own.textContent : part.title;
  const note = document.createElement("div"), place = part.getBoundingClientRect();
  note.className = "note";
  note.ariaHidden = "true";
  note.textContent = text;
  box.append(note);
  const zoom = box.currentCSSZoom ?? 1, { width, height } = note.getBoundingClientRect();
  const x = Math.min(Math.max(place.x + (place.width - width) / 2, 4), innerWidth - width - 4);
  const y = place.y > height + 4 ? place.y - height - 4 : place.bottom + 4;
  Object.assign(note.style, { left: `${x / zoom}px`, top: `${y / zoom}px` });
  if (type === "pointerover") {
    if (own) own.textContent = ""; else part.removeAttribute("title");
  }
  box.told = part;
  box.untold = () => { note.remove(); if (own) own.textContent = text; else part.title = text; };
};

// A drawing with data-stops, in milliseconds, is a film: its CSS animations have one clock, which
// the buttons, the slider and keys start, stop and move. A step plays until the next stop. Without
// motion there is no film.
const SPEEDS = [1, 2, 0.5];
const film = (box) => {
  const stage = box.querySelector("[data-stops]");
  clearTimeout(box.filming);
  if (!stage) return;
  const stops = stage.dataset.stops.split(" ").map(Number), end = stops.at(-1);
  const known = new Set();  // those that are over are told of no more
  const all = () => {
    for (const one of stage.getAnimations({ subtree: true })) {
      if (one instanceof CSSAnimation) known.add(one);
    }
    return known;
  };
  const now = () => Math.round(stage.getAnimations()[0]?.currentTime ?? end);
  const slider = stage.querySelector("input"), told = stage.querySelector(".told");
  const said = [...stage.querySelectorAll(".stops li")].map((one) => one.textContent);
  const speed = stage.querySelector("[data-film=speed]");
  const still = () => stage.classList.contains("still");
  slider.max = end;
  box.speed ??= SPEEDS[0];
  let goal = 0;
  const follow = () => {
    if (!stage.isConnected) return;
    const time = slider.value = now(), stop = stops.findIndex((stop) => stop >= time);
    slider.ariaValueText = said.at(stop);
    if (!still()) box.following = requestAnimationFrame(follow);
    else if (told.textContent !== said.at(stop)) told.textContent = said.at(stop);
  };
  const show = (time, plays) => {
    clearTimeout(box.filming);
    cancelAnimationFrame(box.following);
    stage.classList.toggle("still", !plays);
    for (const one of all()) {
      one.playbackRate = box.speed;
      one[plays ? "play" : "pause"]();
      one.currentTime = time;
    }
    follow();
  };
  const play = (from, to) => {
    goal = to;
    show(from, true);
    box.filming = setTimeout(show, (to - from) / box.speed, to, false);
  };
  const press = {
    first: () => show(goal = 0, false),
    play: () => {
      if (!still()) show(goal = now(), false);
      else play(now() < end ? now() : 0, end);
    },
    next: () => {
      const from = goal < end && !still() ? goal : now();
      play(from < end ? from : 0, stops.find((stop) => stop > from) ?? stops[0]);
    },
    back: () => show(goal = stops.findLast((stop) => stop < now() - 1) ?? 0, false),
    last: () => show(goal = end, false),
    speed: () => {
      box.speed = SPEEDS[(SPEEDS.indexOf(box.speed) + 1) % SPEEDS.length];
      speed.textContent = `${box.speed} ×`;
      if (!still()) play(now(), goal);
    },
  };
  for (const one of stage.querySelectorAll("[data-film]")) {
    one.onclick = () => press[one.dataset.film]();
  }
  speed.textContent = `${box.speed} ×`;
  slider.oninput = () => show(goal = Number(slider.value), false);
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  stage.querySelector(".player").onkeydown = (event) => {
    if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === " " && (event.repeat || event.target.tagName === "BUTTON")) return;
    event.preventDefault();
    event.stopPropagation();
    press[keys[event.key]]();
  };
  if (all().size) play(Number(stage.dataset.begins ?? 0), end);
};

const draw = async ({ data, parentElement, setTriggerValue }) => {
  const box = parentElement.querySelector(".drawing"), root = box.getRootNode();
  box.newest = data;
  const html = await unpack(data);
  if (box.newest !== data) return;
  if (!root.adoptedStyleSheets.includes(window.mlmDrawings.style)) {
    root.adoptedStyleSheets.push(window.mlmDrawings.style);
  }
  const inside = root.activeElement;
  const focused = inside && box.contains(inside) ? inside.getAttribute("data-value") : null;
  if (box.html !== html) {
    hush(box);
    const before = [...box.querySelectorAll("*")];
    box.innerHTML = box.html = html;
    if (before.length) move(box, before);
    film(box);
    if (focused !== null) find(box, `${has(focused)}[tabindex], button${has(focused)}`)?.focus();
  }
  reach(box);
  if (!box.watched) {
    box.watched = true;
    new ResizeObserver(() => reach(box)).observe(box);
    box.addEventListener("focusin", (event) => tell(box, event));
    box.addEventListener("focusout", () => hush(box));
  }
  const report = (target) => {
    const hit = target.closest("[data-value]");
    if (hit) setTriggerValue("clicked", hit.getAttribute("data-value"));
  };
  box.onpointerover = (event) => tell(box, event);
  box.onpointerleave = ({ pointerType }) => {  // a finger that is lifted leaves the note to read
    if (pointerType !== "touch") hush(box);
    else window.addEventListener("pointerdown", () => hush(box), { once: true });
  };
  let passed = new Set();
  box.onclick = (event) => { if (passed.size < 2) report(event.target); };
  box.onpointerdown = ({ target, pointerType }) => {
    const first = target.closest("[data-drag] [data-value]");
    passed = new Set(first ? [first] : []);
    if (!first || pointerType === "touch") return;
    box.onpointermove = ({ target }) => {
      const one = target.closest("[data-drag] [data-value]");
      if (one) passed.add(one);
      if (passed.size > 1) passed.forEach((one) => one.classList.add("passed"));
    };
    window.addEventListener("pointerup", () => {
      box.onpointermove = null;
      passed.forEach((one) => one.classList.remove("passed"));
      const values = [...passed].map((one) => one.getAttribute("data-value"));
      if (values.length > 1) setTriggerValue("clicked", values.join(" "));
      setTimeout(() => { passed = new Set(); });  // after the click that ends a drag
    }, { once: true });
  };
  box.onkeydown = (event) => {
    const at = event.target;
    if (event.key === "Escape") hush(box);
    if ((event.key === "Enter" || event.key === " ") && at.tagName !== "BUTTON") {
      event.preventDefault();
      report(at);
    }
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (step[event.key] && at.hasAttribute("data-row")) {
      const row = Number(at.getAttribute("data-row")) + step[event.key][0];
      const column = Number(at.getAttribute("data-column")) + step[event.key][1];
      const next = find(box, `[data-row="${row}"][data-column="${column}"]`);
      if (next) { event.preventDefault(); next.focus(); }
    }
  };
};

export default function (style) {
  const page = window.mlmDrawings ??= { waiting: [] };
  page.style ??= new CSSStyleSheet();
  page.style.replaceSync(style);
  page.draw = draw;
  page.waiting.splice(0).forEach(draw);
}
"""
