import { BEAT, LENGTH, type Note, RATE } from './score.ts'

/** Two channels that loop: a note that lasts beyond the end continues at the beginning. */
export type Sound = { left: Float64Array; right: Float64Array }

export const silence = (): Sound => ({ left: new Float64Array(LENGTH), right: new Float64Array(LENGTH) })

type Wave = (time: number, note: Note, frequency: number) => number

const TAU = 2 * Math.PI
const frequencyOf = (pitch: number) => 440 * 2 ** ((pitch - 69) / 12)

/** Returns noise from -1 to 1 that is the same on every run (mulberry32). */
export function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1
  }
}

/** Adds notes to a sound. @param tail seconds a note sounds beyond its length */
function perform(into: Sound, notes: Note[], tail: number, level: number, wave: Wave): void {
  for (const note of notes) {
    const start = Math.round(note.at * BEAT)
    const count = Math.round(note.length * BEAT + tail * RATE)
    const frequency = frequencyOf(note.pitch)
    // equal-power panning
    const angle = ((note.pan + 1) * Math.PI) / 4
    const [left, right] = [Math.cos(angle) * level * note.force, Math.sin(angle) * level * note.force]
    for (let sample = 0; sample < count; sample++) {
      const value = wave(sample / RATE, note, frequency)
      const at = (start + sample) % LENGTH
      into.left[at] = (into.left[at] ?? 0) + value * left
      into.right[at] = (into.right[at] ?? 0) + value * right
    }
  }
}

const seconds = (note: Note) => (note.length * BEAT) / RATE
/** smoothstep */
const smooth = (value: number) => {
  const bound = Math.min(1, Math.max(0, value))
  return bound * bound * (3 - 2 * bound)
}
const held = (time: number, length: number, attack: number, release: number) =>
  smooth(time / attack) * smooth((length + release - time) / release)

/** A slow pad of two detuned voices, whose overtones fade in and out. */
export function performPad(into: Sound, notes: Note[], level: number): void {
  for (const detune of [-0.9985, 1.0016]) {
    const spread = detune < 0 ? -0.45 : 0.45
    const placed = notes.map((note) => ({ ...note, pan: Math.max(-1, Math.min(1, note.pan + spread)) }))
    perform(into, placed, 2.6, level, (time, note, base) => {
      const phase = TAU * base * Math.abs(detune) * time
      const open = 1.45 - 0.45 * Math.sin((TAU * time) / 7.5 + note.pitch)
      let value = 0
      for (let partial = 1; partial <= 7; partial++) value += Math.sin(phase * partial + partial) / partial ** open
      return value * held(time, seconds(note), 1.4, 2.6)
    })
  }
}

/** A plucked sound whose brightness decays fast. */
export function performPlucks(into: Sound, notes: Note[], level: number): void {
  perform(into, notes, 1.6, level, (time, note, base) => {
    const bright = 1.7 * note.force * Math.exp(-time / 0.16)
    const body = Math.sin(TAU * base * time + bright * Math.sin(TAU * 2 * base * time))
    const tine = 0.2 * Math.sin(TAU * 5.02 * base * time) * Math.exp(-time / 0.07)
    const end = smooth((seconds(note) + 1.6 - time) / 0.3)
    return (body * Math.exp(-time / 0.5) + tine) * smooth(time / 0.005) * end
  })
}

export function performBass(into: Sound, notes: Note[], level: number): void {
  perform(into, notes, 0.25, level, (time, note, base) => {
    const phase = TAU * base * time
    const value = Math.sin(phase) + 0.55 * Math.sin(2 * phase) + 0.25 * Math.sin(3 * phase) * Math.exp(-time / 0.4)
    return value * held(time, seconds(note), 0.02, 0.25) * (0.6 + 0.4 * Math.exp(-time / 0.7))
  })
}

/** A soft lead, nearly a sine, with a delayed vibrato. */
export function performVoice(into: Sound, notes: Note[], level: number): void {
  perform(into, notes, 0.5, level, (time, note, base) => {
    const vibrato = 0.09 * smooth((time - 0.4) / 0.8) * Math.sin(TAU * 4.6 * time)
    const phase = TAU * base * time + vibrato * (base / 60)
    const value = Math.sin(phase) + 0.22 * Math.sin(2 * phase) + 0.08 * Math.sin(3 * phase)
    return value * held(time, seconds(note), 0.14, 0.5)
  })
}

export function performKicks(into: Sound, notes: Note[], level: number): void {
  perform(into, notes, 0, level, (time) => {
    // the integral of a pitch that falls from 120 to 46 Hz
    const phase = TAU * (46 * time + 74 * 0.035 * (1 - Math.exp(-time / 0.035)))
    return Math.sin(phase) * Math.exp(-time / 0.16) * smooth(time / 0.003)
  })
}

export function performRims(into: Sound, notes: Note[], level: number): void {
  const random = noise(7)
  let last = 0
  perform(into, notes, 0, level, (time) => {
    const grain = random()
    const high = grain - last
    last = grain
    const wood = Math.sin(TAU * 830 * time) * Math.exp(-time / 0.018)
    return (0.5 * wood + 0.16 * high * Math.exp(-time / 0.05)) * smooth(time / 0.001)
  })
}

export function performShakes(into: Sound, notes: Note[], level: number): void {
  const random = noise(42)
  let [last, before] = [0, 0]
  perform(into, notes, 0, level, (time) => {
    const grain = random()
    // the second difference is a high-pass filter
    const high = grain - 2 * last + before
    before = last
    last = grain
    return high * smooth(time / 0.025) * Math.exp(-time / 0.035)
  })
}
