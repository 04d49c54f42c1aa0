#!/usr/bin/env bash
# ffmpeg streams for four seconds to an Icecast address. The server answers `100 Continue`, then refuses with 403.
# Expected: ffmpeg reports the refusal and ends with an error.
# Seen: ffmpeg never reads it. It sends the whole stream, and ends with exit code 0 and no message.
# Needs ffmpeg (seen with 5.1).
set -euo pipefail
command -v ffmpeg >/dev/null || { echo "ffmpeg is missing" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >check.mjs <<'EOF'
import { spawn, spawnSync } from 'node:child_process'
import net from 'node:net'

const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 14\r\n\r\nMount in use.\n'
let bytesAfterRefusal = 0
const server = net.createServer((socket) => {
  let head = ''
  let isRefused = false
  socket.on('error', () => {})
  socket.on('data', (data) => {
    if (isRefused) bytesAfterRefusal += data.length
    if (head.includes('\r\n\r\n')) return
    head += data.toString('latin1')
    if (!head.includes('\r\n\r\n')) return
    socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    setTimeout(() => socket.write(REFUSAL, () => (isRefused = true)), 300)
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `icecast://source:example@127.0.0.1:${server.address().port}/radio.mp3`
const ffmpeg = spawn('ffmpeg', [
  ...['-v', 'warning', '-re', '-f', 'lavfi', '-i', 'sine=frequency=440:duration=4'],
  ...['-c:a', 'libmp3lame', '-b:a', '128k', '-content_type', 'audio/mpeg', '-f', 'mp3', address],
])
let messages = ''
ffmpeg.stderr.on('data', (data) => (messages += data))
const exitCode = await new Promise((resolve) => ffmpeg.on('close', resolve))
server.close()
const [version] = spawnSync('ffmpeg', ['-version']).stdout.toString().split(' Copyright')
console.log(version, { expected: 'an error', seen: { exitCode, messages, bytesAfterRefusal } })
process.exitCode = exitCode === 0 && messages === '' && bytesAfterRefusal > 30_000 ? 0 : 1
EOF
node check.mjs
