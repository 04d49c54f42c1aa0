#!/usr/bin/env bash
# A GIF of 4×4 pixels whose only frame covers 2×2 of them, without a transparent colour.
# Expected: the rest of the canvas is transparent, as browsers show it (Chromium was looked at).
# Seen: libvips makes it opaque black, and metadata() promises no alpha.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent sharp@0.35.5

cat >check.mjs <<'EOF'
import sharp from 'sharp'

// Four pixels of colour 1 in LZW codes of three bits: clear, 1, 1, clear, 1, 1, end.
const codes = [4, 1, 1, 4, 1, 1, 5]
const bits = codes.reduce((sum, code, at) => sum + code * 8 ** at, 0)
const gif = Buffer.from([
  ...Buffer.from('GIF89a'),
  ...[4, 0, 4, 0, 0x80, 0, 0],
  ...[0, 0, 255, 255, 0, 0],
  ...[0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0],
  ...[2, 3, bits % 256, (bits >> 8) % 256, (bits >> 16) % 256, 0],
  0x3b,
])
const pixels = await sharp(gif).ensureAlpha().raw().toBuffer()
const seen = { covered: [...pixels.subarray(0, 4)], uncovered: [...pixels.subarray(-4)] }
const { hasAlpha } = await sharp(gif).metadata()
console.log(`sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`, { expected: [0, 0, 0, 0], seen, hasAlpha })
process.exitCode = seen.covered.join() === '255,0,0,255' && seen.uncovered.join() === '0,0,0,255' ? 0 : 1
EOF
node check.mjs
