#!/usr/bin/env bash
# `printRoutes({ commonPrefix: false })` of two wildcard routes, as tests and audits use it to list all routes.
# Expected: `/assets/*` and `/files/*`.
# Seen: one line `*`, without a path. Lists made from it lack these routes. printRoutes() without options has them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent fastify@5.12.8

cat >check.mjs <<'EOF'
import Fastify from 'fastify'

const app = Fastify()
for (const path of ['/about', '/assets/*', '/files/*']) app.get(path, async () => '')
const lines = app.printRoutes({ commonPrefix: false }).split('\n')
const seen = lines.flatMap((line) => /── (\S+)/.exec(line)?.[1] ?? []).sort()
console.log('fastify', app.version, { expected: ['/about', '/assets/*', '/files/*'], seen })
process.exitCode = seen.join() === '*,/about' ? 0 : 1
EOF
node check.mjs
