const RECORD = "mlm_record", TEXT = "mlm_text_";
export default function ({ data, setTriggerValue }) {
  const all = () => Object.keys(sessionStorage).filter((name) => name.startsWith(TEXT));
  try {
    if (data.forget) {
      sessionStorage.removeItem(RECORD);
      all().forEach((name) => sessionStorage.removeItem(name));
      return;
    }
    if (window.mlmVisit !== data.visit) {  // a new visit knows nothing yet: it is told first
      window.mlmVisit = data.visit;
      const texts = Object.fromEntries(
        all().map((name) => [name.slice(TEXT.length), sessionStorage.getItem(name)]));
      const record = sessionStorage.getItem(RECORD) ?? "";
      window.mlmTells = Boolean(record || all().length);
      if (window.mlmTells) setTriggerValue("found", { record, texts });
    }
    if (data.is_told) window.mlmTells = false;
    window.mlmKeep = (record) => {
      if (record === null || window.mlmTells || !record && !window.mlmKept) return;
      window.mlmKept = true;  // so an empty one is one that was deleted
      try { sessionStorage.setItem(RECORD, record); } catch { /* full: not kept */ }
    };
    window.mlmKeep(data.record);
    if (window.mlmKeepsTexts) return;
    window.mlmKeepsTexts = true;
    document.addEventListener("input", ({ target }) => {
      if (target.tagName !== "TEXTAREA") return;
      const box = target.closest('[class*="st-key-"]');
      const key = box && [...box.classList].find((name) => name.startsWith("st-key-"))?.slice(7);
      const longest = Object.fromEntries(data.texts)[key];
      if (!longest) return;
      sessionStorage.removeItem(TEXT + key);
      if (target.value.length > longest) return;
      try { sessionStorage.setItem(TEXT + key, target.value); } catch { /* full: not kept */ }
    }, true);
  } catch { /* a browser without storage keeps nothing */ }
}
