// The address with the version of the app; the last one in it counts.
function stamped(address, [name, version]) {
  const [path, query = ""] = address.split("#")[0].split("?");
  const others = query.split("&").filter((one) => one && !one.startsWith(`${name}=`));
  return `${path}?${[...others, `${name}=${version}`].join("&")}`;
}

// An entry that BibTeX and biber read: what TeX would take for a command is written with a
// backslash, but in the address, which both print as it is, without braces.
function entryOf(data, address, day) {
  const asked = new URL(address).searchParams;
  const [key, first, slug] = data.part;
  const titles = Object.fromEntries(data.titles);
  const part = titles[asked.get(key)] ? asked.get(key) : first;
  const seeds = Object.fromEntries(data.seeds)[part].map(([name, start]) => `${name} ${asked.get(name) ?? start}`);
  if (asked.get(data.seed)) seeds.push(`${data.seed} ${asked.get(data.seed)}`);
  const plain = (text) => text.replace(/[\\~^]/g, " ").replace(/[&%$#_{}]/g, "\\$&");
  const about = [`Model ${data.model}`, ...(seeds.length ? [`seed: ${seeds.join(", ")}`] : [])];
  const fields = {
    author: "{Unmask project}",
    title: plain(`${data.app}. ${data.lesson}, ${titles[part]}`),
    year: day.slice(0, 4),
    version: data.version[1],
    note: `Version ${data.version[1]}. ${plain(about.join("; "))}. Seen on ${day}`,
    url: address.replace(/[{}]/g, encodeURIComponent),
    urldate: day,
  };
  const lines = Object.entries(fields).map(([name, text]) => `  ${name} = {${text}}`);
  return `@misc{unmask_${slug}_${part},\n${lines.join(",\n")}\n}`;
}

export default function (component) {
  const { data, parentElement } = component;
  const [copy, cite, copyEntry, restart] = parentElement.querySelectorAll("button");
  const field = parentElement.querySelector("input");
  const entry = parentElement.querySelector("textarea");
  copy.textContent = data.link_copy;
  cite.textContent = data.cite;
  copyEntry.textContent = data.cite_copy;
  restart.textContent = data.link_restart;
  field.setAttribute("aria-label", data.link_copy);
  entry.setAttribute("aria-label", data.cite);
  const address = () => stamped(window.location.href, data.version);
  const copied = async (button, shown, usual, done) => {
    shown.select();
    try { await navigator.clipboard.writeText(shown.value); button.textContent = done; }
    catch { button.textContent = data.link_select; }
    setTimeout(() => { button.textContent = usual; }, 4000);
  };
  copy.onclick = () => {
    field.value = address();
    field.hidden = false;
    copied(copy, field, data.link_copy, data.link_copied);
  };
  cite.onclick = () => {
    const box = entry.parentElement;
    box.hidden = !box.hidden;
    cite.setAttribute("aria-expanded", String(!box.hidden));
    entry.value = entryOf(data, address(), new Date().toISOString().slice(0, 10));
  };
  copyEntry.onclick = () => {
    entry.value = entryOf(data, address(), new Date().toISOString().slice(0, 10));
    copied(copyEntry, entry, data.cite_copy, data.cite_copied);
  };
  restart.onclick = () => {
    const asked = [...new URLSearchParams(window.location.search)];
    const kept = asked.filter(([name]) => data.kept.includes(name));
    window.location.search = new URLSearchParams(kept).toString();
  };
}
