// The service worker of alerts. It has no fetch handler and a narrow scope, so it does not change how pages load.

addEventListener('push', (event) => {
  const { kind, title, body, path } = event.data.json()
  // The tag lets a new alert of the same kind replace the old one.
  event.waitUntil(
    registration.showNotification(title, {
      body,
      tag: kind,
      renotify: true,
      data: path,
      icon: '/apple-touch-icon.png',
    }),
  )
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data, location.origin).href
  event.waitUntil(openPage(url))
})

async function openPage(url) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = pages.find((page) => page.url === url)
  await (open ? open.focus() : clients.openWindow(url))
}
