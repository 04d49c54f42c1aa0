#!/usr/bin/env bash
# One client of a PGlite socket server listens, another one notifies; the process of the server listens too.
# Expected: the client and the process hear it, as the process hears its own NOTIFY.
# Seen: nobody hears the NOTIFY of a client, and nothing fails.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent \
  @electric-sql/pglite@0.5.14 @electric-sql/pglite-socket@0.2.17 postgres@3.4.9

cat >check.mjs <<'EOF'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import postgres from 'postgres'

const db = await PGlite.create()
const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port: 0, maxConnections: 4 })
await server.start()
const connect = () =>
  postgres({ host: '127.0.0.1', port: server.port, database: 'postgres', user: 'postgres', ssl: false, max: 1 })
const [listener, sender] = [connect(), connect()]

const heard = []
await db.listen('news', (text) => heard.push(`process: ${text}`))
await listener.listen('news', (text) => heard.push(`client: ${text}`))
await sender.notify('news', 'from a client')
await db.query(`SELECT pg_notify('news', 'from the process')`)
await sleep(2000)
// An idle server may send notifications with its next answer.
await listener`SELECT 1`
await sleep(500)
console.log('@electric-sql/pglite 0.5.14, pglite-socket 0.2.17', { heard })
await Promise.all([listener.end({ timeout: 1 }), sender.end({ timeout: 1 })])
await server.stop()
await db.close()
process.exitCode = heard.join() === 'process: from the process' ? 0 : 1
EOF
node check.mjs
