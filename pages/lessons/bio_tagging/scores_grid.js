export default async function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const box = parentElement.querySelector(".tag-grid");
  box.newest = data;
  const html = await unpack(data);
  if (box.newest !== data) return;
  const inside = box.getRootNode().activeElement;
  const focused = inside && box.contains(inside) ? inside.getAttribute("data-at") : null;
  box.innerHTML = html;
  if (focused !== null) box.querySelector(`[data-at="${focused}"]`)?.focus();
  box.onchange = (event) => {
    const at = event.target.getAttribute("data-at").split(",").map(Number);
    setTriggerValue("edited", JSON.stringify([...at, event.target.value]));
  };
}
