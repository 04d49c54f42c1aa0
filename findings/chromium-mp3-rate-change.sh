#!/usr/bin/env bash
# An MP3 stream whose tracks have 44.1 kHz, then 48 kHz.
# Expected: <audio> plays both tracks, as it plays two of the same rate.
# Seen: Chromium stops with a decode error, "Unsupported midstream configuration change". One mono track does the same.
# Needs ffmpeg, which makes the tracks (seen with 5.1), and Chromium ($CHROMIUM, or chromium; seen with 156).
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

const track = (rate, channels) =>
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `sine=frequency=440:duration=2:sample_rate=${rate}`, '-ac', channels],
    ...['-c:a', 'libmp3lame', '-b:a', '128k', '-write_xing', '0', '-id3v2_version', '0', '-f', 'mp3', '-'],
  ])
const first = track(44_100, 2)
const streams = { same: track(44_100, 2), rate: track(48_000, 2), mono: track(44_100, 1) }
const server = http.createServer(({ url }, response) => {
  const second = streams[url.slice(1)]
  response.setHeader('Content-Type', second ? 'audio/mpeg' : 'text/html')
  response.end(second ? Buffer.concat([first, second]) : '<!doctype html><title>Player</title>')
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
})
const page = await browser.newPage()
await page.goto(`http://127.0.0.1:${server.address().port}/`)
const play = (name) =>
  page.evaluate(
    (src) =>
      new Promise((resolve) => {
        const audio = new Audio(src)
        setTimeout(() => resolve(`neither ended nor failed, at ${audio.currentTime} s`), 20_000)
        audio.onended = () => resolve(`ended after ${Math.round(audio.currentTime)} s`)
        audio.onerror = () => resolve(`error ${audio.error.code}: ${audio.error.message}`)
        audio.play().catch(() => {})
      }),
    `/${name}`,
  )
const seen = { same: await play('same'), rate: await play('rate'), mono: await play('mono') }
const [ffmpegVersion] = execFileSync('ffmpeg', ['-version']).toString().split(' Copyright')
console.log(`Chromium ${browser.version()}, ${ffmpegVersion}`, seen)
await browser.close()
server.close()
const isRejected = (text) => /^error 3: .*midstream configuration change/.test(text)
process.exitCode = seen.same === 'ended after 4 s' && isRejected(seen.rate) && isRejected(seen.mono) ? 0 : 1
EOF
node check.mjs
