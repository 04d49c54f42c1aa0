/** The sample rate, and samples per mp3 frame. The piece is a whole number of frames, so that it loops. */
export const RATE = 44_100
export const FRAME_SAMPLES = 1152
export const FRAMES = 2304
export const LENGTH = FRAMES * FRAME_SAMPLES
export const BEATS = 64
/** in samples: 63.8 beats per minute */
export const BEAT = LENGTH / BEATS

export type Note = {
  /** beats from the beginning */
  at: number
  /** beats */
  length: number
  /** MIDI number: 69 is 440 Hz */
  pitch: number
  /** 0 to 1 */
  force: number
  /** -1 is left, 1 is right */
  pan: number
}

/** Two bars each: Fmaj9, Am9, Dm9, C6/9, Bbmaj9, F/A, Gm9, C9sus. */
const CHORDS = [
  { bass: 41, tones: [53, 57, 60, 64, 67] },
  { bass: 45, tones: [57, 60, 64, 67, 71] },
  { bass: 38, tones: [50, 57, 60, 64, 65] },
  { bass: 36, tones: [52, 55, 60, 62, 69] },
  { bass: 34, tones: [53, 57, 58, 62, 72] },
  { bass: 45, tones: [53, 57, 60, 64, 67] },
  { bass: 43, tones: [55, 58, 62, 65, 69] },
  { bass: 36, tones: [53, 58, 60, 62, 67] },
]
const CHORD_BEATS = 8

const perChord = <T>(make: (chord: (typeof CHORDS)[number], at: number, index: number) => T[]): T[] =>
  CHORDS.flatMap((chord, index) => make(chord, index * CHORD_BEATS, index))

export const pad: Note[] = perChord(({ tones }, at) =>
  tones.map((pitch, voice) => ({ at, length: CHORD_BEATS, pitch, force: 1 - voice * 0.08, pan: (voice - 2) * 0.35 })),
)

/** The root, a syncopation before the third beat, and in every second chord the fifth. */
export const bass: Note[] = perChord(({ bass: pitch }, at, index) => {
  const note = (beat: number, length: number, step: number, force: number) => ({
    at: at + beat,
    length,
    pitch: pitch + step,
    force,
    pan: 0,
  })
  const way = index % 2 === 1 ? [note(6.5, 1.2, 7, 0.6)] : []
  return [note(0, 2.3, 0, 1), note(2.5, 1.2, 0, 0.7), note(4, 2.3, 0, 0.9), ...way]
})

/** The chord tone on each eighth note; numbers beyond the chord continue an octave higher; null is a rest. */
const FIGURES = [
  [0, 2, 4, null, 3, 5, null, 4, 1, null, 6, 4, null, 3, 2, null],
  [1, null, 3, 5, null, 4, 6, null, 2, 4, null, 5, 3, null, 7, 4],
]

export const plucks: Note[] = perChord(({ tones }, at, index) =>
  (FIGURES[index % 2] ?? []).flatMap((tone, eighth) => {
    if (tone === null) return []
    const pitch = (tones[tone % tones.length] ?? 0) + 12 * (1 + Math.floor(tone / tones.length))
    const force = 0.62 + 0.38 * Math.cos((eighth * Math.PI) / 4) ** 2 - (eighth % 2) * 0.12
    return [{ at: at + eighth / 2, length: 1.5, pitch, force, pan: Math.sin(eighth * 2.4 + index) * 0.6 }]
  }),
)

/** A melody in the second half: beat, length, pitch. */
const VOICE: [number, number, number][] = [
  [32, 3, 74],
  [35, 1, 72],
  [36, 4, 69],
  [40, 2, 72],
  [42, 2, 69],
  [44, 4, 65],
  [48, 3, 70],
  [51, 1, 69],
  [52, 4, 74],
  [56, 2, 72],
  [58, 1, 74],
  [59, 1, 70],
  [60, 4, 67],
]
export const voice: Note[] = VOICE.map(([at, length, pitch]) => ({ at, length, pitch, force: 1, pan: 0.1 }))

/** Bars of four beats; the first two and the last have no drums. */
const bars = Array.from({ length: BEATS / 4 }, (_, bar) => bar * 4)
const beaten = bars.filter((at) => at >= 8 && at < 60)
const hit = (at: number, force: number, pan = 0): Note => ({ at, length: 1, pitch: 0, force, pan })

export const kicks = beaten.flatMap((at) => [
  hit(at, 1),
  hit(at + 2, 0.85),
  ...(at % 8 === 4 ? [hit(at + 3.5, 0.5)] : []),
])
export const rims = beaten.filter((at) => at >= 16).flatMap((at) => [hit(at + 1, 0.8, -0.2), hit(at + 3, 1, -0.2)])
export const shakes = beaten.flatMap((at) =>
  Array.from({ length: 16 }, (_, step) => hit(at + step / 4, step % 4 === 2 ? 1 : step % 2 === 0 ? 0.55 : 0.25, 0.3)),
)
