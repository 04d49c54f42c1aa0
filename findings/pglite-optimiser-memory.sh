#!/usr/bin/env bash
# Node.js 24 opens a PGlite database and runs a few small queries, with and without optimising WebAssembly.
# Expected: optimised code costs some megabytes, a small part of the database's own memory.
# Seen: for a moment, V8 takes more than 400 MB to optimise it. Later the process has given most of that back, so only its
# peak, or a container with a limit, shows it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "module" }' >package.json
npm install --no-save --no-audit --no-fund --silent node@24.11.1 @electric-sql/pglite@0.5.14

cat >open.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'

const database = await PGlite.create('./database')
await database.exec('create table note (id serial primary key, content text)')
for (let n = 0; n < 300; n++) await database.query('insert into note (content) values ($1) returning id', [`note ${n}`])
await new Promise((resolve) => setTimeout(resolve, 5000))
await database.close()
// In kB.
console.log(Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024))
JS
node=node_modules/node/bin/node
optimised=$($node open.mjs)
rm -rf database
plain=$($node --no-wasm-tier-up --no-wasm-dynamic-tiering open.mjs)
echo "PGlite 0.5.14 on Node $($node --version): peak of $optimised MB, without the optimiser $plain MB"
((optimised > plain + 250))
