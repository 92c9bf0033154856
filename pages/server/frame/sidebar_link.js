export default function (component) {
  const { data, parentElement } = component;
  const [copy, restart] = parentElement.querySelectorAll("button");
  const field = parentElement.querySelector("input");
  copy.textContent = data.copy;
  restart.textContent = data.restart;
  field.setAttribute("aria-label", data.copy);
  copy.onclick = async () => {
    field.value = window.location.href;
    field.hidden = false;
    field.select();
    try { await navigator.clipboard.writeText(field.value); copy.textContent = data.copied; }
    catch { copy.textContent = data.select; }
    setTimeout(() => { copy.textContent = data.copy; }, 4000);
  };
  restart.onclick = () => {
    const asked = [...new URLSearchParams(window.location.search)];
    const kept = asked.filter(([name]) => data.kept.includes(name));
    window.location.search = new URLSearchParams(kept).toString();
  };
}
