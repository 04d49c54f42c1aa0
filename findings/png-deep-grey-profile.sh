#!/usr/bin/env bash
# The same grey with the same linear ICC profile, as a PNG of 8 and of 16 bits.
# Expected: both become sRGB 128, because a linear 0.216 is the middle grey of sRGB.
# Seen: libvips converts the one of 8 bits, and drops the profile of 16 bits: 55, and the copy has no profile.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent sharp@0.35.5

cat >check.mjs <<'EOF'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

const latin = (text) => Buffer.from(text, 'latin1')
const words = (...numbers) => {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * at)
  return bytes
}

const D50 = words(0xf6d6, 0x10000, 0xd32d)
function linearGreyProfile() {
  const tags = {
    wtpt: Buffer.concat([latin('XYZ '), words(0), D50]),
    kTRC: Buffer.concat([latin('curv'), words(0, 0)]),
  }
  const entries = Object.entries(tags)
  const header = Buffer.alloc(128)
  let at = header.length + 4 + 12 * entries.length
  const table = entries.map(([name, { length }]) => {
    at += length
    return Buffer.concat([latin(name), words(at - length, length)])
  })
  header.writeUInt32BE(at)
  header.writeUInt32BE(0x02400000, 8)
  header.write('mntrGRAYXYZ ', 12)
  for (const [index, number] of [2026, 1, 1].entries()) header.writeUInt16BE(number, 24 + 2 * index)
  header.write('acsp', 36)
  D50.copy(header, 68)
  return Buffer.concat([header, words(entries.length), ...table, ...Object.values(tags)])
}

function chunk(type, data) {
  const body = Buffer.concat([latin(type), data])
  return Buffer.concat([words(data.length), body, words(crc32(body))])
}

function greyPng(depth) {
  const header = Buffer.concat([words(2, 2), Buffer.from([depth, 0, 0, 0, 0])])
  const line = Buffer.concat([Buffer.alloc(1), Buffer.alloc((2 * depth) / 8, 0x37)])
  const profile = Buffer.concat([latin('grey\0\0'), deflateSync(linearGreyProfile())])
  const pixels = deflateSync(Buffer.concat([line, line]))
  const chunks = [chunk('IHDR', header), chunk('iCCP', profile), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

async function convert(png) {
  const { hasProfile } = await sharp(png).metadata()
  const { data } = await sharp(png).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  const copy = await sharp(await sharp(png).png().toBuffer()).metadata()
  return { hasProfile, value: data[0], copyHasProfile: copy.hasProfile }
}
const seen = { 8: await convert(greyPng(8)), 16: await convert(greyPng(16)) }
console.log(`sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`, { expected: 128, seen })
const isSame = seen[8].value === 128 && seen[16].value === 55 && seen[16].hasProfile && !seen[16].copyHasProfile
process.exitCode = isSame ? 0 : 1
EOF
node check.mjs
