export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".grid");
  const inside = box.getRootNode().activeElement;
  const focused = inside && box.contains(inside) ? inside.getAttribute("data-at") : null;
  box.innerHTML = data.html;
  if (focused !== null) box.querySelector(`[data-at="${focused}"]`)?.focus();
  box.onchange = () => {
    const rows = [...box.querySelectorAll("tr[data-row]")];
    const numbers = rows.map((row) => [...row.querySelectorAll("input")].map((input) =>
      Number.isFinite(input.valueAsNumber) ? input.valueAsNumber : 0));
    setTriggerValue("edited", JSON.stringify(numbers));
  };
}
