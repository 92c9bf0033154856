export default function ({ setStateValue }) {
  const report = () => setStateValue("hidden", document.hidden);
  document.addEventListener("visibilitychange", report);
  return () => document.removeEventListener("visibilitychange", report);
}
