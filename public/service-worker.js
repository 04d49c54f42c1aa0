// The site's service worker. Without a network, it shows the offline page instead of the browser's error page. It
// caches no other page, so nobody sees an old page or another visitor's content. Alerts of moderators have their own
// worker with a narrower scope (alerts-worker.js).

// The build replaces the version, so that a changed offline page replaces the cached one.
const CACHE = 'offline-__VERSION__'
const OFFLINE_PAGE = '/offline.html'
const OFFLINE_STYLES = '/offline.css'

addEventListener('install', (event) => {
  skipWaiting()
  const requests = [OFFLINE_PAGE, OFFLINE_STYLES].map((url) => new Request(url, { cache: 'reload' }))
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)))
})

addEventListener('activate', (event) => {
  // The browser requests the page while the worker starts, so that the worker delays no page.
  event.waitUntil(Promise.all([registration.navigationPreload?.enable(), deleteOldCaches()]))
})

async function deleteOldCaches() {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => name.startsWith('offline-') && name !== CACHE).map((name) => caches.delete(name)),
  )
}

addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode === 'navigate' && request.method === 'GET') event.respondWith(loadPage(event))
  else if (new URL(request.url).pathname === OFFLINE_STYLES) event.respondWith(loadStyles(request))
})

async function loadPage({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch (error) {
    const offlinePage = await caches.match(OFFLINE_PAGE)
    if (!offlinePage) throw error
    return offlinePage
  }
}

const loadStyles = (request) => fetch(request).catch(() => caches.match(OFFLINE_STYLES))
