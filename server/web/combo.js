// A field that completes names of people who played here before, after three letters (山田 has two): arrows
// choose, Enter takes and enrolls, Escape closes. Without this script the form beside it searches.

for (const combo of document.querySelectorAll("[data-combo]")) start(combo);

function start(combo) {
  const field = combo.querySelector("input[role=combobox]");
  const told = [...combo.querySelectorAll("[data-told]")];
  const list = combo.querySelector("[role=listbox]");
  const note = combo.querySelector("[data-note]");
  const usual = note.textContent;
  let options = [];
  let at = -1;
  let asked = 0;

  function close() {
    list.hidden = true;
    list.replaceChildren();
    options = [];
    at = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  function choose(index) {
    at = index;
    [...list.children].forEach((option, of) => option.setAttribute("aria-selected", String(of === at)));
    if (at < 0) field.removeAttribute("aria-activedescendant");
    else {
      field.setAttribute("aria-activedescendant", list.children[at].id);
      list.children[at].scrollIntoView({ block: "nearest" });
    }
  }

  function take(index) {
    const one = options[index];
    close();
    field.value = one.name;
    for (const part of told) part.value = part.dataset.told = one[part.name] ?? "";
    note.textContent = `${one.name}${one.id ? `, id ${one.id}` : ""}, ${one.about}. Enter enrolls them.`;
    field.focus();
  }

  function show(found) {
    close();
    options = found;
    found.forEach((one, index) => {
      const option = document.createElement("li");
      option.role = "option";
      option.id = `${field.id}-${index}`;
      option.setAttribute("aria-selected", "false");
      const name = document.createElement("bdi");
      name.textContent = one.name;
      const about = document.createElement("span");
      about.className = "soft small";
      about.textContent = [one.id && `id ${one.id}`, one.about].filter(Boolean).join(", ");
      option.append(name, " ", about);
      option.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        take(index);
      });
      list.append(option);
    });
    list.hidden = found.length === 0;
    field.setAttribute("aria-expanded", String(found.length > 0));
    note.textContent = found.length > 0 ? `${found.length} played here before: arrows choose, Enter enrolls them.` : usual;
  }

  field.addEventListener("input", async () => {
    for (const part of told) if (part.value === part.dataset.told) part.value = "";
    note.textContent = usual;
    const typed = field.value.trim();
    const turn = ++asked;
    if ([...typed].length < (/(?=\p{L})[^\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]/u.test(typed) ? 2 : 3)) return close();
    try {
      const answer = await fetch(combo.dataset.combo, { method: "POST", body: new URLSearchParams({ name: typed }), headers: { Accept: "application/json" } });
      const { people } = answer.ok ? await answer.json() : { people: [] };
      // An answer to what was typed before is none any more.
      if (turn === asked) show(people);
    } catch {
      close();
    }
  });

  field.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      choose(Math.max(-1, Math.min(options.length - 1, at + step)));
    } else if (event.key === "Enter" && at >= 0) {
      // The form goes off with whoever was chosen.
      take(at);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  });
  field.addEventListener("blur", close);
}
