#!/usr/bin/env bash
# A server imports vike/server, and later a timer throws and a promise is rejected without a handler.
# Expected: Node ends the process, as it does without Vike; a library leaves that choice to the server.
# Seen: the import adds listeners for both events that only print, so the process goes on, and no test notices.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "type": "module" }' >package.json
npm install --no-save --no-audit --no-fund --silent vike@0.4.266 vite@8.3.8

cat >server.mjs <<'EOF'
if (process.argv[2] === 'with') await import('vike/server')
process.stdout.write(`listeners ${process.listenerCount('uncaughtException')}, ${process.listenerCount('unhandledRejection')}; `)
setTimeout(() => { throw new Error('from a timer') }, 10)
setTimeout(() => Promise.reject(new Error('from a promise')), 20)
setTimeout(() => process.stdout.write('still running'), 200)
EOF
without=$(NODE_ENV=production node server.mjs without 2>/dev/null || true)
with=$(NODE_ENV=production node server.mjs with 2>/dev/null || true)
echo "vike 0.4.266 on Node $(node --version): without it: $without / with it: $with"
[[ $without == 'listeners 0, 0; ' && $with == 'listeners 1, 1; still running' ]]
