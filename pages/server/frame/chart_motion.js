// What moves in plotly's charts: points, bars and lines of new data start where those before stood.
//
// A finger also chooses a point by its first tap here: plotly chooses what the pointer was over before
// the click, and a finger was nowhere.
//
// plotly's own transitions need the same lines and rings before and after, and ours come and go. What
// has a `meta` leaves a trail, but for dashed rings: the chosen point and the star of a map of senses.
// Where a film has taken the points along (drawing_script.js), they are there already. A chart that is
// resized keeps its data, and stays as plotly draws it.
const isMoving = matchMedia("(prefers-reduced-motion: no-preference)");

const marksOf = (chart) => {
  const marks = new Map();
  for (const trace of chart.querySelectorAll(".trace")) {
    const about = trace.__data__?.[0]?.trace ?? {};
    const line = about.legendgroup || about.name;
    for (const path of trace.querySelectorAll("path.js-line, path.js-fill")) {
      marks.set(line + path.classList, { path, place: "d", at: path.getAttribute("d") });
    }
    trace.querySelectorAll("path.point, .point > path").forEach((path, i) => {
      const place = path.matches(".point") ? "transform" : "d";
      marks.set([about.name, about.meta, about.marker?.symbol, about.customdata?.[i] ?? i].join(),
        { path, place, at: path.getAttribute(place),
          leavesTrail: about.meta !== undefined && about.meta !== "rings" });
    });
  }
  return marks;
};

// Only a path of the same commands can move into another.
const shape = (path) => path.replaceAll(/[^A-Z]/g, "");

// By the key of the chart: the page may put a new element in the place of the old one.
const chartsBefore = new Map();

const leaveTrail = (path, ...ends) => {
  const trail = document.createElementNS("http://www.w3.org/2000/svg", "path");
  trail.setAttribute("class", "trail");
  trail.setAttribute("d", "M" + ends.map((end) => end.match(/[\d.-]+/g).join(" ")).join("L"));
  trail.setAttribute("style", "stroke: currentColor; stroke-width: 2px; stroke-dasharray: 2 4");
  path.before(trail);
};

const moveChart = (chart) => {
  // Other classes of its box come and go, as while the page waits for a run.
  const key = chart.closest('[class*="st-key-"]')?.className.match(/st-key-\S+/)[0];
  const before = chartsBefore.get(key), now = marksOf(chart);
  if (!now.size) return;  // it is being drawn
  chartsBefore.set(key, { data: chart.data,
    places: new Map([...now].map(([name, { at }]) => [name, at])) });
  if (!before || before.data === chart.data) return;
  const changed = [...now].filter(([name, { at }]) => at !== before.places.get(name));
  if (!changed.length) return;  // drawn twice
  for (const one of chart.querySelectorAll(".trail")) one.remove();
  if (!isMoving.matches) return;
  for (const [name, { path, place, at, leavesTrail }] of changed) {
    const old = before.places.get(name);
    if (!old || !at || (place === "d" && shape(old) !== shape(at))) continue;
    const from = place === "d" ? `path("${old}")` : old.replaceAll(/[\d.-]+/g, "$&px");
    if (leavesTrail) leaveTrail(path, old, at);
    if (window.filmedChart === key) continue;
    path.animate([{ [place]: from }, {}], { duration: 350, easing: "ease-out" });
  }
};

const pointBeforeTap = ({ target, touches: [finger] }) => target.closest(".nsewdrag")
  ?.dispatchEvent(new MouseEvent("mousemove",
    { bubbles: true, clientX: finger.clientX, clientY: finger.clientY }));

const watchCharts = () => {
  for (const chart of document.querySelectorAll(".js-plotly-plot")) {
    if (chart.isWatched || !chart.on) continue;
    chart.isWatched = true;
    chart.addEventListener("touchstart", pointBeforeTap, { capture: true, passive: true });
    chart.on("plotly_afterplot", () => moveChart(chart));
    moveChart(chart);
  }
};
