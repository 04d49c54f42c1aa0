#!/usr/bin/env bash
# A chain of two Ogg Opus streams, of 2 and 3 seconds, as in recordings of internet radio (RFC 3533, RFC 7845).
# Expected: decodeFile() returns 5 seconds.
# Seen: ogg-opus-decoder returns 7 seconds, of which the last 2 are silence: it fills up to a length that counts the
# first stream twice. decode() returns the right length.
# Needs ffmpeg, which makes the streams (seen with 5.1).
set -euo pipefail
command -v ffmpeg >/dev/null || { echo "ffmpeg is missing" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent ogg-opus-decoder@1.7.5

cat >check.mjs <<'EOF'
import { execFileSync } from 'node:child_process'
import { OggOpusDecoder } from 'ogg-opus-decoder'

const stream = (seconds) =>
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
    ...['-c:a', 'libopus', '-f', 'ogg', '-'],
  ])
const chain = Buffer.concat([stream(2), stream(3)])

async function decode(method) {
  const decoder = new OggOpusDecoder()
  await decoder.ready
  const { channelData, sampleRate } = await decoder[method](chain)
  await decoder.free()
  const [left] = channelData
  const lastSound = left.findLastIndex((sample) => Math.abs(sample) > 0.001)
  return { seconds: Math.round(left.length / sampleRate), soundUntil: Math.round(lastSound / sampleRate) }
}

const seen = { decode: await decode('decode'), decodeFile: await decode('decodeFile') }
const [ffmpegVersion] = execFileSync('ffmpeg', ['-version']).toString().split(' Copyright')
console.log(`ogg-opus-decoder 1.7.5, ${ffmpegVersion}`, { expected: { seconds: 5, soundUntil: 5 }, seen })
const isSame =
  JSON.stringify(seen) === '{"decode":{"seconds":5,"soundUntil":5},"decodeFile":{"seconds":7,"soundUntil":5}}'
process.exitCode = isSame ? 0 : 1
EOF
node check.mjs
