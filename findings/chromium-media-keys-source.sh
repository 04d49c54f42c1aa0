#!/usr/bin/env bash
# A page sets the handlers of the Media Session API, plays sound, pauses it, and removes the source of its player.
# Expected: the play key calls the handler of the page, which can load a source again.
# Seen: it does as long as the paused player has a source. Then the session is stopped, and the key reaches nobody.
# Needs Chromium ($CHROMIUM, or chromium; seen with 156), Xvfb, D-Bus and playerctl, which presses the keys.
set -euo pipefail
CHROMIUM=$(command -v "${CHROMIUM:-chromium}") || { echo "Chromium is missing" >&2; exit 77; }
for program in Xvfb xvfb-run dbus-run-session playerctl; do
  command -v "$program" >/dev/null || { echo "$program is missing" >&2; exit 77; }
done
export CHROMIUM
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent playwright-core@1.65.1

cat >check.mjs <<'EOF'
import { spawnSync } from 'node:child_process'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'

/** A minute of a tone: sounds of a few seconds get no session. */
function sound() {
  const rate = 8000
  const wave = Buffer.alloc(44 + 60 * rate)
  wave.write('RIFF----WAVEfmt ', 'latin1')
  wave.writeUInt32LE(wave.length - 8, 4)
  wave.writeUInt32LE(16, 16)
  wave.writeUInt16LE(1, 20)
  wave.writeUInt16LE(1, 22)
  wave.writeUInt32LE(rate, 24)
  wave.writeUInt32LE(rate, 28)
  wave.writeUInt16LE(1, 32)
  wave.writeUInt16LE(8, 34)
  wave.write('data', 36)
  wave.writeUInt32LE(60 * rate, 40)
  for (let at = 44; at < wave.length; at++) wave[at] = 128 + 60 * Math.sin(at / 3)
  return wave
}

const server = http.createServer(({ url }, response) => {
  response.setHeader('Content-Type', url === '/sound.wav' ? 'audio/wav' : 'text/html')
  response.end(url === '/sound.wav' ? sound() : '<!doctype html><title>Sound</title><audio src="/sound.wav"></audio>')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const args = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required']
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, headless: false, args })
const page = await browser.newPage()
await page.goto(`http://127.0.0.1:${server.address().port}/`)
await page.evaluate(async () => {
  globalThis.presses = 0
  navigator.mediaSession.setActionHandler('play', () => globalThis.presses++)
  await document.querySelector('audio').play()
})
const playerctl = (command) => spawnSync('playerctl', [command]).stdout.toString().trim()
const press = async () => {
  await sleep(3000)
  const status = playerctl('status')
  playerctl('play')
  await sleep(1000)
  return { status, presses: await page.evaluate(() => globalThis.presses) }
}
await sleep(3000)
await page.evaluate(() => document.querySelector('audio').pause())
const paused = await press()
await page.evaluate(() => {
  const audio = document.querySelector('audio')
  audio.removeAttribute('src')
  audio.load()
})
const unloaded = await press()
console.log(`Chromium ${browser.version()}:`, { paused, unloaded })
await browser.close()
server.close()
const isAsDescribed = paused.status === 'Paused' && paused.presses === 1 && unloaded.presses === 1
process.exitCode = isAsDescribed ? 0 : 1
EOF
dbus-run-session -- xvfb-run -a node check.mjs
