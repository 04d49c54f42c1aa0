#!/usr/bin/env bash
# A statement that computes for much longer than `statement_timeout = 20ms`.
# Expected: error 57014, query_canceled.
# Seen: PGlite runs it to its end. WebAssembly gets no signals, so limits on time are accepted and do nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent @electric-sql/pglite@0.5.14

cat >check.mjs <<'EOF'
import { PGlite } from '@electric-sql/pglite'

const db = await PGlite.create()
await db.exec(`SET statement_timeout = '20ms'`)
const { rows } = await db.query('SHOW statement_timeout')
const startedAt = performance.now()
const outcome = await db.query('SELECT count(*) FROM generate_series(1, 1000000)').then(
  (result) => `${result.rows[0].count} rows`,
  (error) => `error ${error.code}`,
)
const ms = Math.round(performance.now() - startedAt)
console.log('@electric-sql/pglite 0.5.14', { ...rows[0], expected: 'error 57014', seen: outcome, ms })
process.exitCode = outcome === '1000000 rows' && ms > 40 ? 0 : 1
EOF
node check.mjs
