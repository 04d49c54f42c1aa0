#!/usr/bin/env bash
# An animation with frames of 5, 10, 11 and 20 ms.
# Expected: WebP stores durations in milliseconds, so the file has these.
# Seen: libvips writes 100 ms for durations of 10 ms or less. Copying an animation can slow it down tenfold.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent sharp@0.35.5

cat >check.mjs <<'EOF'
import sharp from 'sharp'

const asked = [5, 10, 11, 20]
const frames = asked.map((_, at) => {
  const background = { r: 60 * at, g: 0, b: 0 }
  return sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer()
})
const webp = await sharp(await Promise.all(frames), { join: { animated: true } })
  .webp({ delay: asked, loop: 0, lossless: true })
  .toBuffer()

const stored = []
for (let at = 12; at < webp.length; ) {
  const size = webp.readUInt32LE(at + 4)
  if (webp.toString('latin1', at, at + 4) === 'ANMF') stored.push(webp.readUIntLE(at + 8 + 12, 3))
  at += 8 + size + (size % 2)
}
console.log(`sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`, { asked, stored })
process.exitCode = stored.join() === '100,100,11,20' ? 0 : 1
EOF
node check.mjs
