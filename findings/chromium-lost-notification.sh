#!/usr/bin/env bash
# A service worker's registration lists its notifications while another call shows one.
# Expected: the list is without the new notification, or with it; afterwards it is there.
# Seen: some notifications never appear: the list removes them, and the promise of showNotification() still resolves.
# Reading after that promise loses none. Needs Chromium ($CHROMIUM, or chromium; seen with 156).
set -euo pipefail
CHROMIUM=$(command -v "${CHROMIUM:-chromium}") || { echo "Chromium is missing" >&2; exit 77; }
export CHROMIUM
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent playwright-core@1.65.1

cat >check.mjs <<'EOF'
import http from 'node:http'
import { chromium } from 'playwright-core'

const server = http.createServer(({ url }, response) => {
  response.setHeader('Content-Type', url === '/worker.js' ? 'text/javascript' : 'text/html')
  response.end(url === '/worker.js' ? '' : '<!doctype html><title>Notifications</title>')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] })
const context = await browser.newContext({ permissions: ['notifications'] })
const page = await context.newPage()
await page.goto(`http://127.0.0.1:${server.address().port}/`)
const countLost = (readsMeanwhile) =>
  page.evaluate(async (readsMeanwhile) => {
    await navigator.serviceWorker.register('/worker.js')
    const registration = await navigator.serviceWorker.ready
    let lost = 0
    for (let turn = 0; turn < 200; turn++) {
      const tag = String(turn)
      const shown = registration.showNotification('A title', { tag })
      if (readsMeanwhile) await Promise.all([...Array(10)].map(() => registration.getNotifications()))
      await shown
      const [notification] = await registration.getNotifications({ tag })
      if (notification) notification.close()
      else lost++
    }
    return lost
  }, readsMeanwhile)
const seen = { readAfterwards: await countLost(false), readMeanwhile: await countLost(true) }
console.log(`Chromium ${browser.version()}: notifications lost of 200:`, seen)
await browser.close()
server.close()
process.exitCode = seen.readAfterwards === 0 && seen.readMeanwhile > 0 ? 0 : 1
EOF
node check.mjs
