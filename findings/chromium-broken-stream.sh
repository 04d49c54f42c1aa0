#!/usr/bin/env bash
# A live stream (chunked, no length) whose connection breaks before the end of the body, as do all later ones.
# Expected: <audio> fires `error`, with MEDIA_ERR_NETWORK.
# Seen: Chromium fires only `waiting` and `stalled`, and stays in NETWORK_LOADING. It asks again and again for the bytes
# after the last one (`Range`), which a live stream does not have. A player has to watch the time.
# Needs ffmpeg, which makes the sound (seen with 5.1), and Chromium ($CHROMIUM, or chromium; seen with 156).
set -euo pipefail
command -v ffmpeg >/dev/null || { echo "ffmpeg is missing" >&2; exit 77; }
CHROMIUM=$(command -v "${CHROMIUM:-chromium}") || { echo "Chromium is missing" >&2; exit 77; }
export CHROMIUM
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent playwright-core@1.65.1

cat >check.mjs <<'EOF'
import { execFileSync } from 'node:child_process'
import http from 'node:http'
import { chromium } from 'playwright-core'

const WATCHED_MS = 20_000
const sound = execFileSync('ffmpeg', [
  ...['-v', 'error', '-f', 'lavfi', '-i', 'sine=frequency=440:duration=4'],
  ...['-c:a', 'libmp3lame', '-b:a', '128k', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3', '-'],
])
const requests = []
const server = http.createServer((request, response) => {
  if (request.url !== '/radio') {
    return response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Player</title>')
  }
  requests.push(request.headers.range)
  if (requests.length > 1) return response.destroy()
  response.setHeader('Content-Type', 'audio/mpeg')
  response.write(sound)
  setTimeout(() => response.destroy(), 1000)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
})
const page = await browser.newPage()
await page.goto(`http://127.0.0.1:${server.address().port}/`)
const seen = await page.evaluate(
  (ms) =>
    new Promise((resolve) => {
      const audio = new Audio('/radio')
      const events = []
      for (const name of ['playing', 'waiting', 'stalled', 'pause', 'ended', 'error', 'abort']) {
        audio.addEventListener(name, () => events.push(name))
      }
      audio.play().catch(() => {})
      setTimeout(() => {
        const { paused, ended, networkState, currentTime, error } = audio
        resolve({ events, paused, ended, networkState, currentTime, error: error && error.message })
      }, ms)
    }),
  WATCHED_MS,
)
const [ffmpegVersion] = execFileSync('ffmpeg', ['-version']).toString().split(' Copyright')
const sent = { requests: requests.length, lastRange: requests.at(-1) }
console.log(`Chromium ${browser.version()}, ${ffmpegVersion}`, seen, sent)
await browser.close()
server.close()
const isSilent = !seen.events.some((name) => ['error', 'ended', 'pause', 'abort'].includes(name))
const isLoading = seen.events.at(-1) === 'stalled' && seen.networkState === 2 && requests.length > 2
process.exitCode = isSilent && isLoading ? 0 : 1
EOF
node check.mjs
