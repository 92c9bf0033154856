const PLAN = "mlm_plan";
export default function ({ data, setTriggerValue }) {
  try {
    const kept = localStorage.getItem(PLAN);
    if (data.plan) localStorage.setItem(PLAN, data.plan);
    else if (kept && !data.is_told) setTriggerValue("found", kept);
  } catch { /* a browser without storage keeps nothing */ }
}
