export default function go(component) {
if (window.mlmLand) window.mlmLand(component.data); else setTimeout(go, 50, component); }
