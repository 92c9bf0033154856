const rememberViews = (usual) => {
  if (window.mlmViews) { window.mlmViews = usual; return; }
  window.mlmViews = usual;
  const viewOf = (address) => {
    const url = new URL(address, location.href), view = [url.pathname];
    for (const [name, value] of Object.entries(window.mlmViews)) {
      view.push(url.searchParams.get(name) ?? value);
    }
    return view.join("\n");
  };
  const plain = (address) => address.replace(/[?&]mlm_page=[^&#]*/, "");
  const push = history.pushState.bind(history);
  history.pushState = (state, title, given) => {
    const page = /[?&]mlm_page=([^&#]*)/.exec(given)?.[1], address = plain(given);
    const path = new URL(address, location.href).pathname;
    if (page !== undefined && !path.endsWith("/" + page)) return;
    const stays = path === location.pathname
      && (page !== undefined || viewOf(address) === viewOf(location.href));
    if (stays) history.replaceState(state, title, address);
    else push(state, title, address);
  };
  history.replaceState(history.state, "", plain(location.href));
};
