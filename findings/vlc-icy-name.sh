#!/usr/bin/env bash
# VLC plays an MP3 stream from a server that sends titles to players that ask for them with `Icy-MetaData: 1`.
# Expected: VLC asks, because it shows the titles of such streams.
# Seen: VLC begins without asking. It connects again and asks only if the first answer has `icy-name` or `icy-genre`, which
# a server may keep for those that ask. `icy-url` and `icy-br` are not enough.
# Needs VLC without its graphical parts (Debian: vlc-bin and vlc-plugin-base; seen with 3.0.24), and ffmpeg (seen with 5.1).
set -euo pipefail
for program in vlc ffmpeg; do
  command -v "$program" >/dev/null || { echo "$program is missing" >&2; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# VLC does not run as root.
if [ "$(id -u)" = 0 ]; then chown 65534 "$folder"; fi
cd "$folder"

cat >check.mjs <<'EOF'
import { execFileSync, spawn } from 'node:child_process'
import http from 'node:http'

const sound = execFileSync('ffmpeg', [
  ...['-v', 'error', '-f', 'lavfi', '-i', 'sine=frequency=440:duration=20'],
  ...['-c:a', 'libmp3lame', '-b:a', '128k', '-f', 'mp3', '-'],
])
const NAMES = ['none', 'icy-url', 'icy-br', 'icy-genre', 'icy-name']
const asked = Object.fromEntries(NAMES.map((name) => [name, []]))
const server = http.createServer(({ url, headers }, response) => {
  const name = url.slice(1)
  asked[name]?.push(headers['icy-metadata'] === '1')
  response.writeHead(200, { 'content-type': 'audio/mpeg', connection: 'close', ...(name !== 'none' && { [name]: '128' }) })
  response.write(sound)
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const ids = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
const env = { ...process.env, HOME: process.cwd() }
for (const name of NAMES) {
  const url = `http://127.0.0.1:${server.address().port}/${name}`
  const vlc = spawn('vlc', ['-I', 'dummy', '--aout=dummy', '--no-lua', url], { ...ids, env, stdio: 'ignore' })
  await new Promise((resolve) => setTimeout(resolve, 4000))
  vlc.kill('SIGKILL')
}
server.closeAllConnections()
server.close()
const [version] = execFileSync('vlc', ['--version'], { ...ids, env, stdio: ['ignore', 'pipe', 'ignore'] })
  .toString()
  .split(' (')
const seen = Object.fromEntries(NAMES.map((name) => [name, asked[name].includes(true)]))
console.log(version, { requests: asked, expected: 'asks each server', seen })
const asIs = NAMES.every((name) => asked[name].length > 0 && seen[name] === ['icy-name', 'icy-genre'].includes(name))
process.exitCode = asIs ? 0 : 1
EOF
node check.mjs
