#!/usr/bin/env bash
# About 200 MB of writes with `max_wal_size=32MB`.
# Expected: PostgreSQL checkpoints when the log has grown to that size, and reuses or removes its files.
# Seen: PGlite has no checkpointer, and its log keeps everything until somebody sends CHECKPOINT. After a crash, all of
# it is read again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent @electric-sql/pglite@0.5.14

cat >check.mjs <<'EOF'
import { readdirSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'

const startParams = [...PGlite.defaultStartParams, '-c', 'max_wal_size=32MB', '-c', 'min_wal_size=32MB']
const db = await PGlite.create('./data', { startParams })
const value = async (query) => Object.values((await db.query(query)).rows[0])[0]
const logFiles = () => readdirSync('data/pg_wal').filter((name) => /^[0-9A-F]{24}$/.test(name)).length
const lastCheckpoint = () => value('SELECT redo_lsn::text FROM pg_control_checkpoint()')

await db.exec('CREATE TABLE texts (t text); CHECKPOINT')
const before = await lastCheckpoint()
for (let round = 0; round < 10; round++) {
  await db.exec('INSERT INTO texts SELECT repeat(md5(n::text), 30) FROM generate_series(1, 20000) AS n')
  await db.exec('DELETE FROM texts')
}
const seen = {
  maxWalSize: await value('SHOW max_wal_size'),
  isSameCheckpoint: (await lastCheckpoint()) === before,
  logMegabytes: 16 * logFiles(),
}
await db.exec('CHECKPOINT')
seen.afterCheckpoint = 16 * logFiles()
console.log('@electric-sql/pglite 0.5.14', seen)
process.exitCode = seen.isSameCheckpoint && seen.logMegabytes > 160 && seen.afterCheckpoint < seen.logMegabytes ? 0 : 1
EOF
node check.mjs
