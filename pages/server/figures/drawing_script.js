// What the browser does with our drawings: shows, moves and plays them, reports clicks.
// A drawing is sent packed and without style or script, which come with the page, once. Whichever
// of the two arrives first, a drawing appears when both are there, and never without its style.
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
  // A cell's note is above its grid: at the cell it would hide its neighbours.
  const above = (part.closest("[data-row]")?.closest("svg") ?? part).getBoundingClientRect().y;
  note.className = "note";
  note.ariaHidden = "true";
  note.textContent = text;
  box.append(note);
  const zoom = box.currentCSSZoom ?? 1, { width, height } = note.getBoundingClientRect();
  const x = Math.min(Math.max(place.x + (place.width - width) / 2, 4), innerWidth - width - 4);
  const y = above > height + 4 ? above - height - 4 : place.bottom + 4;
  Object.assign(note.style, { left: `${x / zoom}px`, top: `${y / zoom}px` });
  if (type === "pointerover") {
    if (own) own.textContent = ""; else part.removeAttribute("title");
  }
  box.told = part;
  box.untold = () => { note.remove(); if (own) own.textContent = text; else part.title = text; };
};

// A drawing with data-stops, in milliseconds, is a film: its CSS animations have one clock, which
// the buttons, the slider and keys start, stop and move. A step plays until the next stop; without
// motion it is there at once. One with data-stands waits at that stop, and reports another's value
// once it stands there. The points of its data-chart go with it; their places it asks for once.
const SPEEDS = [1, 2, 0.5];
const PAUSE = 250, GOES = 500;  // milliseconds: until a stop is reported; from place to place
const LAYERS = 3;  // as far as the star's trail goes back
const SEEN = 0.2;  // of a film, before it begins by itself
const film = (box, time) => {
  const stage = box.querySelector("[data-stops]");
  clearTimeout(box.filming);
  clearTimeout(box.telling);
  box.seen?.disconnect();
  box.stand = box.plays = null;
  if (!stage) return;
  const stops = stage.dataset.stops.split(" ").map(Number), end = stops.at(-1);
  const waits = "stands" in stage.dataset, start = waits ? stops[0] : 0;
  const known = new Set();  // those that are over are told of no more
  const all = () => {
    for (const one of stage.getAnimations({ subtree: true })) {
      // What scrolls sideways inside of a film fades by another clock, which takes no milliseconds.
      if (one instanceof CSSAnimation && one.timeline === document.timeline) known.add(one);
    }
    return known;
  };
  const now = () => Math.round(stage.getAnimations()[0]?.currentTime ?? end);
  const stopAt = (time) => stops.findIndex((stop) => stop >= time);
  const slider = stage.querySelector("input"), told = stage.querySelector(".told");
  const lines = [...stage.querySelectorAll(".stops li")];
  const said = lines.map((one) => one.textContent);
  const speed = stage.querySelector("[data-film=speed]");
  const still = () => stage.classList.contains("still");
  slider.max = end;
  box.speed ??= SPEEDS[0];
  let goal = 0, moved = [], taken = null, asked = null;  // a chart and its data, each
  const follow = () => {
    if (!stage.isConnected) return;
    const time = slider.value = now(), stop = stopAt(time);
    slider.ariaValueText = said.at(stop);
    if (!still() && taken?.chart.isConnected === false) play(now(), goal);
    else if (!still()) box.following = requestAnimationFrame(follow);
    else if (told.textContent !== said.at(stop)) told.textContent = said.at(stop);
  };
  const show = (time, plays) => {
    if (!stage.isConnected) return endMoves();
    clearTimeout(box.filming);
    clearTimeout(box.telling);
    cancelAnimationFrame(box.following);
    stage.classList.toggle("still", !plays);
    if (plays || awaits() || time !== stops[stage.dataset.stands]) take();
    for (const one of [...all(), ...moved]) {
      one.playbackRate = box.speed;
      one[plays ? "play" : "pause"]();
      one.currentTime = time;
    }
    follow();
    box.telling = waits && !plays ? setTimeout(settle, PAUSE) : 0;
  };
  const play = (from, to) => {
    goal = to;
    if (!waits && !moves.matches) return show(to, false);
    if (stage.dataset.chart && !stage.dataset.places && !box.asked) {
      box.asked = [from, to];
      box.report("places");
      return;
    }
    show(from, true);
    box.filming = setTimeout(show, (to - from) / box.speed, to, false);
  };
  // The chart's points go along until it is drawn with all that belongs to the new stop.
  const chartOf = () => document.querySelector(`.st-key-${stage.dataset.chart} .js-plotly-plot`);
  const awaits = () => asked?.chart && asked.chart === chartOf() && asked.data === chartOf().data;
  const leave = () => {
    for (const one of moved) {
      one.cancel();
      one.made?.remove();
    }
    moved = [];
  };
  const endMoves = () => {
    leave();
    window.filmedChart = null;
  };
  const take = () => {
    const { chart: key, places } = stage.dataset, chart = key && places && chartOf();
    if (!chart?._fullLayout || !moves.matches) return;
    if (taken?.chart !== chart) moved = [];
    if (moved.length) return;
    taken = { chart, data: chart.data };
    window.filmedChart = `st-key-${key}`;
    moved = movesOf(chart, JSON.parse(places), stops);
    if (!chart.redrawn) chart.on("plotly_afterplot", () => chart.redrawn());
    chart.redrawn = () => {
      if (!moved.length || taken.chart !== chart) return;
      leave();
      if (!stage.isConnected) return;
      if (!still()) play(now(), goal);
      else if (taken.data === chart.data) show(now(), false);
    };
  };
  const settle = () => {
    if (!stage.isConnected) return endMoves();
    box.telling = 0;
    const stop = stopAt(now());
    if (stop !== Number(stage.dataset.stands)) {
      asked = { chart: chartOf(), data: chartOf()?.data };
      box.report(lines[stop].dataset.stop);
    } else if (now() !== stops[stop]) show(stops[stop], false);
    else if (awaits()) box.telling = setTimeout(settle, PAUSE);
    else endMoves();
  };
  const press = {
    first: () => show(goal = start, false),
    play: () => {
      if (!still()) show(goal = now(), false);
      else play(now() < end ? now() : 0, end);
    },
    next: () => {
      const from = goal < end && !still() ? goal : now();
      play(from < end ? from : 0, stops.find((stop) => stop > from) ?? stops[0]);
    },
    back: () => show(goal = stops.findLast((stop) => stop < now() - 1) ?? start, false),
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
  if (!waits) {
    const begins = Number(stage.dataset.begins ?? 0);
    show(goal = moves.matches ? begins : end, false);
    box.seen = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      box.seen.disconnect();
      if (moves.matches && now() === begins) play(begins, end);
    }, { threshold: SEEN });
    box.seen.observe(stage);
    return;
  }
  box.plays = () => still() ? undefined : now();
  box.stand = () => {
    if (box.asked?.length) play(...box.asked.splice(0));
    else if (still() && !box.telling) show(goal = stops[stage.dataset.stands], false);
  };
  show(goal = stops[stage.dataset.stands], false);
  if (time !== undefined) play(time, end);
  else box.stand();
};

// Of a chart's points, the ways through their places: each frame of a film has their coordinates
// in the order in which the chart draws them, the star last, and which of them have a dashed ring.
// The chosen point's ring goes with it, the star draws a trail; lines and other rings are hidden.
const movesOf = (chart, frames, stops) => {
  const { xaxis, yaxis } = chart._fullLayout, end = stops.at(-1), n = frames[0].at.length / 2;
  const pixels = ({ at }, i) => [xaxis.l2p(at[2 * i]), yaxis.l2p(at[2 * i + 1])];
  const place = (frame, i) => ({ transform: `translate(${pixels(frame, i).join("px, ")}px)` });
  const go = (path, looks) => path.animate(looks, { duration: end, fill: "both" });
  const through = (look) => frames.flatMap((frame, k) => [
    { offset: k && (stops[k - 1] + GOES) / end, ...look(frame, k) },
    { offset: stops[k] / end, ...look(frame, k), easing: "ease-in-out" },
  ]);
  // What is there for the film alone; no class of plotly's, which would count it as a point.
  const added = (made, path, look) => {
    path.before(made);
    return Object.assign(go(made, through(look)), { made });
  };
  const ring = (path, i) => {
    const made = path.cloneNode();
    made.setAttribute("class", "scatterpts");
    return added(made, path, (frame) =>
      ({ ...place(frame, i), opacity: Number(frame.rings.includes(i)) }));
  };
  const trail = (path, i) => {
    const ways = frames.map((frame) => pixels(frame, i));
    let whole = 0;
    const passed = ways.map(([x, y], k) =>
      whole += k && Math.hypot(x - ways[k - 1][0], y - ways[k - 1][1]));
    const made = document.createElementNS("http://www.w3.org/2000/svg", "path");
    made.setAttribute("d", `M${ways.join("L")}`);
    made.setAttribute("style", "fill: none; stroke: currentColor; stroke-width: 2px");
    return added(made, path, (_, k) => {
      const from = passed[Math.max(0, k - LAYERS)];
      return { strokeDasharray: `0 ${from} ${passed[k] - from} ${whole + 1}` };
    });
  };
  const traces = [...chart.querySelectorAll(".scatterlayer .trace")], at = [];
  const about = (trace) => trace.__data__[0].trace;
  for (const trace of traces) if (about(trace).hoverinfo !== "skip") {
    at.push(...[...trace.querySelectorAll(".point")].map((one) => one.getAttribute("transform")));
  }
  const ringed = [...new Set(frames.flatMap((frame) => frame.rings))];
  let i = 0;
  return traces.flatMap((trace) => {
    const { hoverinfo, meta } = about(trace), paths = [...trace.querySelectorAll("path")];
    const more = meta === "rings" ? ringed.map((one) => ring(paths[0], one)) : [];
    if (meta === "star" && i < n) more.push(trail(paths.at(-1), i));
    return more.concat(paths.map((path) => {
      let point = -1;  // as for the trails that a step has left
      if (hoverinfo !== "skip" && i < n && path.matches(".point")) point = i++;
      else if (Number.isInteger(meta)) point = at.indexOf(path.getAttribute("transform"));
      return go(path, point < 0 ? { opacity: [0, 0] } : through((frame) => place(frame, point)));
    }));
  });
};

// Where only the box of a film is another, the film in it goes on, and hears of it.
const rest = (html) => html.slice(html.indexOf(">"));
const takeBox = (box, html) => {
  const made = document.createElement("template");
  made.innerHTML = html;
  for (const { name, value } of made.content.firstElementChild.attributes) {
    if (name !== "class") box.firstElementChild.setAttribute(name, value);
  }
  box.html = html;
  box.stand();
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
  box.report = (value) => setTriggerValue("clicked", value);
  if (box.stand && box.html !== html && rest(box.html) === rest(html)) takeBox(box, html);
  else if (box.html !== html) {
    hush(box);
    const before = [...box.querySelectorAll("*")], time = box.plays?.();
    const pressed = [...box.querySelectorAll(".player > *")].indexOf(inside);
    box.innerHTML = box.html = html;
    if (before.length) move(box, before);
    film(box, time);
    box.querySelectorAll(".player > *")[pressed]?.focus();
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
    const { saves } = target.closest("[data-saves]")?.dataset ?? {};
    if (saves) document.querySelector(`.st-key-${saves} .modebar-btn`)?.click();
    const hit = target.closest("[data-value]");
    if (hit) setTriggerValue("clicked", hit.getAttribute("data-value"));
    // It looks so until the answer is there.
    target.closest(".sentence button")?.classList.add("sent");
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
