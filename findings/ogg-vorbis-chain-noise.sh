#!/usr/bin/env bash
# A chain of two Ogg Vorbis streams with the same tone, but 22.05 and 48 kHz (a change of programme on a radio).
# Expected: the decoder reads the headers of the second stream, or rejects them.
# Seen: @wasm-audio-decoders/ogg-vorbis keeps the rate and the setup of the first stream: the second one becomes noise,
# several times louder than the tone, and no error is reported.
# Needs ffmpeg, which makes the streams (seen with 5.1).
set -euo pipefail
command -v ffmpeg >/dev/null || { echo "ffmpeg is missing" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{}' >package.json
npm install --no-save --no-audit --no-fund --silent @wasm-audio-decoders/ogg-vorbis@0.1.20

cat >check.mjs <<'EOF'
import { execFileSync } from 'node:child_process'
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis'

const stream = (rate) =>
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', `sine=frequency=440:duration=2:sample_rate=${rate}`],
    ...['-c:a', 'libvorbis', '-f', 'ogg', '-'],
  ])
const level = (samples) => Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)

async function decode(...rates) {
  const decoder = new OggVorbisDecoder()
  await decoder.ready
  const { channelData, sampleRate, errors } = await decoder.decodeFile(Buffer.concat(rates.map(stream)))
  await decoder.free()
  const [left] = channelData
  return { sampleRate, endLevel: Number(level(left.subarray(-sampleRate / 2)).toFixed(2)), errors: errors.length }
}

const seen = { 'second stream alone': await decode(48_000), 'after the first': await decode(22_050, 48_000) }
const [ffmpegVersion] = execFileSync('ffmpeg', ['-version']).toString().split(' Copyright')
console.log(`@wasm-audio-decoders/ogg-vorbis 0.1.20, ${ffmpegVersion}`, seen)
const { 'second stream alone': alone, 'after the first': chained } = seen
const isSame = chained.sampleRate === 22_050 && chained.errors === 0 && chained.endLevel > 2 * alone.endLevel
process.exitCode = isSame ? 0 : 1
EOF
node check.mjs
