#!/usr/bin/env bash
# A restart of an IRC server: the connection is lost, the next one is closed with an ERROR while the server starts.
# Expected: with `auto_reconnect`, five tries (`auto_reconnect_max_retries`), so the third connection comes.
# Seen: irc-framework counts an opened socket as success, and gives up after the second connection. It also gives up at
# once if the first connection is lost within five seconds.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent irc-framework@4.14.0

cat >check.mjs <<'EOF'
import net from 'node:net'
import irc from 'irc-framework'

const MORE_THAN_FIVE_SECONDS = 5500

/** Returns what the client does until it gives up or is connected for the third time. */
async function run(firstConnectionMs) {
  const events = []
  const client = new irc.Client()
  let connections = 0
  const server = net.createServer((socket) => {
    const number = ++connections
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (!data.includes('USER')) return
      if (number === 2) return socket.end('ERROR :Server is starting\r\n')
      socket.write(':irc.example 001 bot :Welcome\r\n')
      if (number === 1) setTimeout(() => socket.destroy(), firstConnectionMs)
      else client.quit()
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  for (const name of ['registered', 'reconnecting']) client.on(name, () => events.push(name))
  const closed = new Promise((resolve) => client.on('close', resolve))
  const { port } = server.address()
  client.connect({ host: '127.0.0.1', port, nick: 'bot', auto_reconnect: true, auto_reconnect_max_retries: 5 })
  await closed
  server.close()
  return { connections, events: events.join(', ') }
}

const seen = { restart: await run(MORE_THAN_FIVE_SECONDS), 'lost at once': await run(100) }
console.log('irc-framework 4.14.0', { expected: { connections: 3 }, seen })
const isSame =
  JSON.stringify(Object.values(seen)) ===
  '[{"connections":2,"events":"registered, reconnecting"},{"connections":1,"events":"registered"}]'
process.exit(isSame ? 0 : 1)
EOF
node check.mjs
