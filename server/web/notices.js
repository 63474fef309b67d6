// A button by which a phone is told when pairings are up: the browser asks its owner only once it is pressed.

/// `box` has the key of the desk, whether this phone is told, and what is said.
export async function notices(box, base) {
  const worker = navigator.serviceWorker;
  if (!worker || !("PushManager" in window)) return;
  const [ask, told, end, denied, failed] = box.dataset.words.split("|");
  const [says, button] = [box.querySelector("p"), box.querySelector("button")];
  const registration = await worker.ready;
  let isTold = "told" in box.dataset;

  async function post(fields) {
    const { player, lang } = document.querySelector("[data-me]").dataset;
    const answer = await fetch(`${base}/me/notices?lang=${lang}`, {
      method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams({ player, ...fields }),
    });
    if (!answer.ok) throw new Error(answer.statusText);
  }

  async function tell() {
    const before = await registration.pushManager.getSubscription();
    const made = before ?? await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: box.dataset.key });
    const { endpoint, keys } = made.toJSON();
    await post({ do: "tell", endpoint, ...keys });
    isTold = true;
  }

  async function stop() {
    await post({ do: "end" });
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    isTold = false;
  }

  function show(words = isTold ? told : "") {
    says.textContent = words;
    button.textContent = isTold ? end : ask;
    box.hidden = false;
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await (isTold ? stop() : tell());
      show();
    } catch (error) {
      show(error.name === "NotAllowedError" ? denied : failed);
    }
    button.disabled = false;
  });
  // The browser has another address than it gave, or the desk none any more: it is given again.
  if (!isTold && Notification.permission === "granted" && await registration.pushManager.getSubscription()) await tell().catch(() => {});
  show();
}
