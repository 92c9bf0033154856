const seen = window.mlmSeenAsks ??= new Set();
export default function ({ data, parentElement }) {
  const chip = parentElement.querySelector("button");
  const place = () => document.querySelector(".st-key-" + data.of);
  let waits = 0, watch = null;
  const begin = () => {
    if (!place()) { waits = setTimeout(begin, 100); return; }
    watch = new IntersectionObserver(([found]) => {
      clearTimeout(waits);
      if (found.isIntersecting) waits = setTimeout(() => seen.add(data.call), 800);
      const shows = !found.isIntersecting && !seen.has(data.call);
      if (shows) document.querySelectorAll(".mlm-room-chip").forEach((one) => one.hidden = true);
      chip.hidden = !shows;
    }, { root: document.querySelector(".stMain"), rootMargin: "-120px 0px 0px 0px" });
    watch.observe(place());
  };
  chip.textContent = data.label;
  chip.onclick = () => {
    window.mlmLand?.({ of_class: "st-key-" + data.of, landing: performance.now() });
    place()?.querySelector("summary, input, button")?.focus({ preventScroll: true });
  };
  begin();
  return () => { clearTimeout(waits); watch?.disconnect(); };
}
