#!/usr/bin/env bash
# A weight of a variable font, as WOFF2 and as the same font unpacked to TTF.
# Expected: getVariation() gives glyphs of that weight for both, because fontkit reads both formats.
# Seen: the font that getVariation() makes of a WOFF2 cannot find any glyph: a TypeError about `tables`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent \
  fontkit@2.0.4 wawoff2@2.0.1 @fontsource-variable/hanken-grotesk@5.3.0

cat >check.mjs <<'EOF'
import { readFileSync } from 'node:fs'
import { create } from 'fontkit'
import { decompress } from 'wawoff2'

const woff2 = readFileSync(
  'node_modules/@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2',
)
const ttf = Buffer.from(await decompress(woff2))

function stemWidth(bytes, weight) {
  try {
    const { bbox } = create(bytes).getVariation({ wght: weight }).glyphForCodePoint(0x6c)
    return bbox.maxX - bbox.minX
  } catch (error) {
    return String(error)
  }
}
const widths = (bytes) => [100, 900].map((weight) => stemWidth(bytes, weight))
const seen = { ttf: widths(ttf), woff2: widths(woff2) }
console.log('fontkit 2.0.4: width of the letter l in weights 100 and 900', seen)
const isSame = seen.ttf[0] < seen.ttf[1] && seen.woff2.every((width) => /^TypeError: .*tables/.test(width))
process.exitCode = isSame ? 0 : 1
EOF
node check.mjs
