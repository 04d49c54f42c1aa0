// The site's service worker. Without a network, it shows the offline page instead of the browser's error page. It caches
// no other page, so nobody sees an old page or another visitor's content. It also takes images that other apps share with
// the installed site. Alerts of moderators have their own worker with a narrower scope (alerts-worker.js).

// The build replaces the version, so that a changed offline page replaces the cached one.
const CACHE = 'offline-__VERSION__'
const OFFLINE_PAGE = '/offline.html'
const OFFLINE_STYLES = '/offline.css'
// As in server/features/site/webManifest.ts and src/contract/image.ts.
const SHARE_TARGET = '/share'
const MAX_IMAGE_BYTES = 5 * 1024 * 1024

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
  const { pathname } = new URL(request.url)
  if (request.mode === 'navigate' && request.method === 'GET') event.respondWith(loadPage(event))
  else if (request.method === 'POST' && pathname === SHARE_TARGET) event.respondWith(takeShared(request))
  else if (pathname === OFFLINE_STYLES) event.respondWith(loadStyles(request))
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

// Keeps a shared image in the browser for the form of the image sharing (src/features/image/useShare.ts). The
// server answers shared text.
async function takeShared(request) {
  const forServer = request.clone()
  const form = await request.formData().catch(() => null)
  const image = form?.get('image')
  if (!(image instanceof File) || image.size === 0) return sendShared(forServer)
  if (image.size > MAX_IMAGE_BYTES) return Response.redirect('/image-sharing?shared=too-large', 303)
  const headers = { 'content-type': image.type, 'x-file-name': encodeURIComponent(image.name.toWellFormed()) }
  const cache = await caches.open('shared')
  await cache.put('/shared-image', new Response(image, { headers }))
  return Response.redirect('/image-sharing?shared=1', 303)
}

async function sendShared(request) {
  try {
    return await fetch(request)
  } catch (error) {
    return (await caches.match(OFFLINE_PAGE)) ?? Promise.reject(error)
  }
}
