import type { Sound } from './instruments.ts'
import { BEAT, LENGTH, RATE } from './score.ts'

/** Runs an effect twice over the loop and keeps the second pass, so that its state at the end matches the beginning. */
function twice(step: (at: number, isHeard: boolean) => void): void {
  for (const isHeard of [false, true]) for (let at = 0; at < LENGTH; at++) step(at, isHeard)
}

/** Adds a ping-pong echo of three quarters of a beat to `into`; each repeat loses treble. */
export function addEcho(into: Sound, from: Sound, level: number): void {
  const delay = Math.round(BEAT * 0.75)
  const lines = [new Float64Array(delay), new Float64Array(delay)] as const
  let [dullLeft, dullRight] = [0, 0]
  twice((at, isHeard) => {
    const slot = at % delay
    const [left = 0, right = 0] = [lines[0][slot], lines[1][slot]]
    dullLeft += 0.35 * (left - dullLeft)
    dullRight += 0.35 * (right - dullRight)
    lines[0][slot] = ((from.left[at] ?? 0) + (from.right[at] ?? 0)) * 0.5 + 0.42 * dullRight
    lines[1][slot] = 0.95 * dullLeft
    if (!isHeard) return
    into.left[at] = (into.left[at] ?? 0) + level * left
    into.right[at] = (into.right[at] ?? 0) + level * right
  })
}

/** Delays in samples at 44.1 kHz, without common divisors (Schroeder's reverberator). */
const COMBS = [1557, 1617, 1491, 1422, 1277, 1356]
const ALLPASSES = [225, 556, 441]
const RIGHT_IS_LATER = 23

/** Adds a reverb of about two seconds to `into`. */
export function addRoom(into: Sound, from: Sound, level: number): void {
  for (const side of ['left', 'right'] as const) {
    const later = side === 'left' ? 0 : RIGHT_IS_LATER
    const combs = COMBS.map((length) => ({ line: new Float64Array(length + later), dull: 0 }))
    const allpasses = ALLPASSES.map((length) => new Float64Array(length + later))
    twice((at, isHeard) => {
      let sum = 0
      for (const comb of combs) {
        const slot = at % comb.line.length
        const old = comb.line[slot] ?? 0
        comb.dull += 0.55 * (old - comb.dull)
        comb.line[slot] = (from[side][at] ?? 0) + 0.875 * comb.dull
        sum += old
      }
      for (const line of allpasses) {
        const slot = at % line.length
        const old = line[slot] ?? 0
        line[slot] = sum + 0.5 * old
        sum = old - 0.5 * (line[slot] ?? 0)
      }
      if (isHeard) into[side][at] = (into[side][at] ?? 0) + level * sum
    })
  }
}

/** High-pass filter: removes inaudible bass, which costs loudness. */
export function cutLows(sound: Sound, frequency: number): void {
  const weight = 1 - Math.exp((-2 * Math.PI * frequency) / RATE)
  for (const channel of [sound.left, sound.right]) {
    let low = 0
    twice((at, isHeard) => {
      const value = channel[at] ?? 0
      low += weight * (value - low)
      if (isHeard) channel[at] = value - low
    })
  }
}

/** Returns 16-bit little-endian stereo; peaks near `ceiling` are compressed instead of clipped. */
export function toPcm(sound: Sound, gain: number, ceiling: number): Buffer {
  const bytes = Buffer.alloc(LENGTH * 4)
  const bend = (value: number) => {
    const size = Math.abs(value)
    const knee = ceiling * 0.6
    if (size <= knee) return value
    return Math.sign(value) * (knee + (ceiling - knee) * Math.tanh((size - knee) / (ceiling - knee)))
  }
  for (let at = 0; at < LENGTH; at++) {
    bytes.writeInt16LE(Math.round(bend((sound.left[at] ?? 0) * gain) * 32_767), at * 4)
    bytes.writeInt16LE(Math.round(bend((sound.right[at] ?? 0) * gain) * 32_767), at * 4 + 2)
  }
  return bytes
}
