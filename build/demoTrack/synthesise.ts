// Creates demo.mp3 (needs ffmpeg with libmp3lame): npx tsx build/demoTrack/synthesise.ts
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_TRACK } from '#server/features/radio/embedded/demoTrack.ts'
import { createMpegParser } from '#server/features/radio/frames/mpeg.ts'
import { drawCover } from './cover.ts'
import { addEcho, addRoom, cutLows, toPcm } from './effects.ts'
import {
  performBass,
  performKicks,
  performPad,
  performPlucks,
  performRims,
  performShakes,
  performVoice,
  type Sound,
  silence,
} from './instruments.ts'
import { bass, FRAMES, kicks, pad, plucks, RATE, rims, shakes, voice } from './score.ts'

/** Common radio loudness in LUFS, and a peak level that leaves headroom for the encoder. */
const LOUDNESS = -16
const CEILING = 0.8
const PCM = ['-f', 's16le', '-ar', String(RATE), '-ac', '2', '-i', 'pipe:0']
const TAGS = {
  title: 'Carrier Wave',
  artist: 'DTP',
  album: 'Test Transmissions',
  genre: 'Ambient',
  copyright: 'CC0 1.0: no rights reserved',
}

const piece = compose()
let gain = 0.2
// The limiter changes the loudness, so the gain is found by iteration.
for (let step = 0; step < 4; step++) gain *= 10 ** ((LOUDNESS - loudnessOf(toPcm(piece, gain, CEILING))) / 20)
writeTrack(loopFrames(toPcm(piece, gain, CEILING)), await drawCover())

function compose(): Sound {
  const [mix, wet, echoed] = [silence(), silence(), silence()]
  performPad(mix, pad, 0.042)
  performPad(wet, pad, 0.016)
  performBass(mix, bass, 0.1)
  performPlucks(mix, plucks, 0.19)
  performPlucks(echoed, plucks, 0.13)
  performVoice(mix, voice, 0.085)
  performVoice(echoed, voice, 0.05)
  performKicks(mix, kicks, 0.26)
  performRims(mix, rims, 0.3)
  performRims(wet, rims, 0.14)
  performShakes(mix, shakes, 0.07)
  performShakes(wet, shakes, 0.009)
  addEcho(mix, echoed, 0.55)
  addEcho(wet, echoed, 0.3)
  addRoom(mix, wet, 0.09)
  cutLows(mix, 28)
  return mix
}

function loudnessOf(pcm: Buffer): number {
  const { stderr } = spawnSync('ffmpeg', ['-nostats', ...PCM, '-af', 'ebur128', '-f', 'null', '-'], { input: pcm })
  const [, told] = /Integrated loudness:\s+I:\s+(-?[\d.]+) LUFS/.exec(stderr.toString()) ?? []
  if (told === undefined) throw new Error(`ffmpeg told no loudness: ${stderr}`)
  return Number(told)
}

/**
 * Encodes the piece three times in a row and returns the frames of the second pass, which loops without a gap.
 * Without the bit reservoir, each frame can be decoded on its own.
 */
function loopFrames(pcm: Buffer): Buffer {
  const encoder = ['-c:a', 'libmp3lame', '-b:a', '128k', '-reservoir', '0', '-write_xing', '0', '-id3v2_version', '0']
  const input = Buffer.concat([pcm, pcm, pcm])
  const mp3 = execFileSync('ffmpeg', ['-v', 'error', ...PCM, ...encoder, '-f', 'mp3', 'pipe:1'], {
    input,
    maxBuffer: 64 * 1024 * 1024,
  })
  const frames = createMpegParser().push(mp3)
  return Buffer.concat(frames.slice(FRAMES, 2 * FRAMES).map(({ bytes }) => bytes))
}

function writeTrack(sound: Buffer, cover: Buffer): void {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  try {
    writeFileSync(join(folder, 'sound.mp3'), sound)
    writeFileSync(join(folder, 'cover.jpg'), cover)
    const inputs = ['-i', join(folder, 'sound.mp3'), '-i', join(folder, 'cover.jpg'), '-map', '0:a', '-map', '1:v']
    const tags = Object.entries(TAGS).flatMap(([name, value]) => ['-metadata', `${name}=${value}`])
    const picture = ['-metadata:s:v', 'title=Cover', '-metadata:s:v', 'comment=Cover (front)']
    const format = ['-c', 'copy', '-write_xing', '0', '-id3v2_version', '3', '-fflags', '+bitexact']
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...inputs, ...format, ...tags, ...picture, DEMO_TRACK])
  } finally {
    rmSync(folder, { recursive: true })
  }
}
