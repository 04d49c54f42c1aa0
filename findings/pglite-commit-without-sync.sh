#!/usr/bin/env bash
# A database in a folder: ten commits and a checkpoint, with `fsync` and `synchronous_commit` on (no `-F`).
# Expected: each commit syncs the write-ahead log, so that it outlives a power failure.
# Seen: PGlite's NodeFS never syncs, and reports success. With an fsync operation added to it, checkpoints sync, but
# commits do not: `wal_sync_method` is fdatasync, which Emscripten answers by itself. Only `fsync` syncs each commit.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent @electric-sql/pglite@0.5.14

cat >check.mjs <<'EOF'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

let syncs = 0
for (const name of ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync']) {
  const original = fs[name]
  fs[name] = (...values) => {
    syncs++
    return original(...values)
  }
}
syncBuiltinESMExports()
const { PGlite } = await import('@electric-sql/pglite')
const { NodeFS } = await import('@electric-sql/pglite/nodefs')

class SyncingFS extends NodeFS {
  async init(...values) {
    const initialised = await super.init(...values)
    initialised.emscriptenOpts.preRun.push((module) => {
      module.FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
        fs.fsyncSync(stream.nfd)
        return 0
      }
    })
    return initialised
  }
}

async function countSyncs(files, ...settings) {
  const startParams = [...PGlite.defaultStartParams.filter((param) => param !== '-F'), ...settings]
  const db = await PGlite.create({ fs: files, startParams })
  const show = async (name) => Object.values((await db.query(`SHOW ${name}`)).rows[0])[0]
  const names = ['fsync', 'synchronous_commit', 'wal_sync_method']
  const shown = []
  for (const name of names) shown.push(`${name} = ${await show(name)}`)
  await db.exec('CREATE TABLE numbers (n int)')
  syncs = 0
  for (let n = 0; n < 10; n++) await db.query('INSERT INTO numbers VALUES ($1)', [n])
  const commits = syncs
  await db.exec('CHECKPOINT')
  const checkpoint = syncs - commits
  await db.close()
  return { shown: shown.join(', '), 'syncs of 10 commits': commits, 'syncs of a checkpoint': checkpoint }
}

const seen = [
  await countSyncs(new NodeFS('./plain')),
  await countSyncs(new SyncingFS('./syncing')),
  await countSyncs(new SyncingFS('./syncing-log'), '-c', 'wal_sync_method=fsync'),
]
console.log('@electric-sql/pglite 0.5.14: NodeFS, with fsync added, and with wal_sync_method=fsync', seen)
const commits = seen.map((one) => one['syncs of 10 commits'])
const checkpoints = seen.map((one) => one['syncs of a checkpoint'] > 0)
process.exitCode = commits.join() === '0,0,10' && checkpoints.join() === 'false,true,true' ? 0 : 1
EOF
node check.mjs
