for (const table of all("table[data-sort]")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[at].dataset.v ?? row.cells[at].textContent.trim();
      const rows = [...body.rows].map((row) => ({ key: key(row), row }));
      const numeric = rows.every(({ key }) => key === "" || Number.isFinite(Number(key)));
      const compare = numeric ? (a, b) => a - b : (a, b) => a.localeCompare(b, undefined, { numeric: true });
      rows.sort((a, b) => {
        if (a.key === "" || b.key === "") return (a.key === "") - (b.key === "");
        return up ? compare(a.key, b.key) : compare(b.key, a.key);
      });
      body.append(...rows.map(({ row }) => row));
    });
  });
}
for (const filter of all("label.filter")) {
  const table = document.getElementById(filter.dataset.table);
  const box = filter.querySelector("input");
  const show = () => table.classList.toggle("missed", box.checked);
  filter.hidden = false;
  box.addEventListener("change", show);
  show();
}
