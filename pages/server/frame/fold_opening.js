export default function ({ data, parentElement }) {
  const page = document.documentElement, button = parentElement.querySelector("button");
  const show = (folded) => {
    page.classList.toggle("mlm-folded", folded);
    button.textContent = (folded ? "▸ " : "▾ ") + (folded ? data.show : data.hide);
    button.setAttribute("aria-expanded", String(!folded));
    window.dispatchEvent(new Event("resize"));
    window.mlmProject?.();
  };
  window.mlmFold = show;
  button.onclick = () => show(!page.classList.contains("mlm-folded"));
  if (page.mlmArrival !== data.arrival) { page.mlmArrival = data.arrival; show(data.folded); }
  else show(page.classList.contains("mlm-folded"));
}
