// Keeps a player's last page on their device, for when there is no network. As long as the desk answers,
// nothing that was kept is shown.

const [VERSION, FILES] = ["{version}", "{files}".split(" ")];
const own = new URL(registration.scope).pathname;
const [pagesName, filesName] = [`scrutineer page ${own}`, `scrutineer files ${own} `];
/// How long an answer is waited for where there is a page to show instead, and how long one is kept.
const PATIENCE = 10_000;
const KEPT_FOR = 2 * 24 * 60 * 60 * 1000;
/// What stands before the desk says so where the desk is gone.
const GONE = [502, 504];

addEventListener("install", (event) => event.waitUntil((async () => {
  const files = await caches.open(filesName + VERSION);
  await files.addAll([...FILES, `${own}/offline`]);
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith(filesName) && name !== filesName + VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
})()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/s/")) event.respondWith(inFiles(request.url).then((found) => found ?? fetch(request)));
  else if (pathname === own) event.respondWith(page(event, request));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(offline));
});

const inFiles = async (url) => (await caches.open(filesName + VERSION)).match(url, { ignoreVary: true });
const offline = async () => (await inFiles(`${own}/offline`)) ?? Response.error();
const place = (url) => `${own}?player=${new URL(url).searchParams.get("player") ?? ""}`;

async function page(event, request) {
  const asked = fetch(request);
  // What the page asks for itself is not answered with what it shows already.
  if (request.mode !== "navigate") return answered(event, request, await asked);
  const before = await kept(request.url);
  const late = new Promise((_, fail) => before && setTimeout(fail, PATIENCE));
  try {
    const answer = await answered(event, request, await Promise.race([asked, late]));
    return GONE.includes(answer.status) && before ? before : answer;
  } catch {
    return before ?? offline();
  }
}

function answered(event, request, answer) {
  event.waitUntil(keep(request.url, answer.clone()));
  return answer;
}

async function keep(url, answer) {
  const pages = await caches.open(pagesName);
  // Whose link was freed or ended keeps nothing.
  if ([401, 403, 404, 410].includes(answer.status)) await pages.delete(place(url));
  const { searchParams } = new URL(url);
  if (!answer.ok || searchParams.has("said") || searchParams.has("refused")) return;
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Vary"]) headers.delete(name);
  headers.set("X-Kept", Date.now());
  await pages.put(place(url), new Response(await answer.text(), { headers }));
}

// What the desk tells while no page is open; it is this phone's alone to read.
addEventListener("push", (event) => {
  const { title, body, path, tag } = event.data.json();
  const icon = FILES.find((file) => file.endsWith(".png"));
  event.waitUntil(registration.showNotification(title, { body, tag: `${own} ${tag}`, renotify: true, icon, data: path }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.matchAll({ type: "window" }).then((all) => {
    const open = all.find((one) => new URL(one.url).pathname === own);
    return open ? open.focus() : clients.openWindow(event.notification.data ?? own);
  }));
});

/// The page as it was kept, which says when that was.
async function kept(url) {
  const pages = await caches.open(pagesName);
  const found = await pages.match(place(url));
  const at = Number(found?.headers.get("X-Kept"));
  if (!found) return null;
  if (!(Date.now() - at < KEPT_FOR)) {
    await pages.delete(place(url));
    return null;
  }
  const text = await found.text();
  const day = new Date(at).toDateString() === new Date().toDateString() ? {} : { weekday: "long" };
  const language = /<html lang="([\w-]+)"/.exec(text)?.[1];
  const time = new Date(at).toLocaleString(language, { ...day, hour12: false, hour: "2-digit", minute: "2-digit" });
  const told = text.replace(/ data-kept="([^"]*)" hidden>/, (_, words) => ` data-kept>${words.replace("{time}", time)}`);
  return new Response(told, { headers: found.headers });
}
