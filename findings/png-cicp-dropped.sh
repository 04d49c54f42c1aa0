#!/usr/bin/env bash
# A PNG (third edition) whose cICP chunk says BT.2020 with PQ, an HDR picture, converted with keepMetadata().
# Expected: the chunk is shown by metadata(), and its colours are converted or kept.
# Seen: libvips neither reads nor keeps it: the copy has the same numbers as plain sRGB.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent sharp@0.35.5

cat >check.mjs <<'EOF'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'

function chunk(type, data) {
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
const END_OF_IHDR = 8 + 25
const BT2020_PQ = Buffer.from([9, 16, 0, 1])

const background = { r: 200, g: 100, b: 50 }
const plain = await sharp({ create: { width: 4, height: 4, channels: 3, background } }).png().toBuffer()
const parts = [plain.subarray(0, END_OF_IHDR), chunk('cICP', BT2020_PQ), plain.subarray(END_OF_IHDR)]
const hdr = Buffer.concat(parts)
const copy = await sharp(hdr).keepMetadata().png().toBuffer()
const { space, hasProfile } = await sharp(hdr).metadata()
const pixel = [...(await sharp(copy).raw().toBuffer()).subarray(0, 3)]
const kept = ['cICP', 'iCCP'].filter((type) => copy.includes(type))
const seen = { space, hasProfile, kept: kept.join(), pixel }
console.log(`sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`, seen)
const isSame = JSON.stringify(Object.values(seen)) === '["srgb",false,"",[200,100,50]]'
process.exitCode = isSame ? 0 : 1
EOF
node check.mjs
