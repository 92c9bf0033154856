export default function ({ data }) {
  const safe = location.protocol === "https:" ? ";Secure" : "";
  const over = data.value ? "" : ";Max-Age=0";
  document.cookie = `${data.name}=${data.value};Path=/;SameSite=Strict${safe}${over}`;
}
