import { describe, expect, test } from 'vitest'
import { computeDrawingSize, createAdaptiveResolution } from '#src/player/visualiser/adaptiveResolution.ts'
import {
  addPreset,
  currentPreset,
  emptyHistory,
  goBack,
  goForward,
  goToRandom,
  type PresetHistory,
} from '#src/player/visualiser/presetHistory.ts'

const pool = ['a', 'b', 'c', 'd']
const walk = (...names: string[]) => names.reduce(addPreset, emptyHistory)

describe('preset history', () => {
  test('goes back and forward through shown presets', () => {
    let history = walk('a', 'd', 'b')
    history = goBack(history, pool)
    expect(currentPreset(history)).toBe('d')
    history = goBack(history, pool)
    expect(currentPreset(history)).toBe('a')
    history = goForward(goForward(history, pool), pool)
    expect(currentPreset(history)).toBe('b')
  })

  test('continues through the list at both ends, and wraps around', () => {
    expect(currentPreset(goForward(walk('a', 'd'), pool))).toBe('a')
    const before = goBack(walk('a'), pool)
    expect(currentPreset(before)).toBe('d')
    expect(currentPreset(goForward(before, pool))).toBe('a')
  })

  test('drops later presets after another choice', () => {
    const history = addPreset(goBack(walk('a', 'b'), pool), 'c')
    expect(history.presets).toEqual(['a', 'c'])
  })

  test('enters the pool from a preset outside it, and stays with an empty pool', () => {
    expect(currentPreset(goForward(walk('a'), ['c', 'd']))).toBe('c')
    expect(currentPreset(goBack(walk('a'), ['c', 'd']))).toBe('d')
    for (const step of [goBack, goForward, goToRandom] as ((
      history: PresetHistory,
      pool: string[],
    ) => PresetHistory)[]) {
      expect(currentPreset(step(walk('a'), []))).toBe('a')
    }
  })

  test('goes to a random other preset', () => {
    const reached = [0, 0.4, 0.99].map((random) => currentPreset(goToRandom(walk('b'), pool, () => random)))
    expect(reached).toEqual(['a', 'c', 'd'])
    expect(currentPreset(goToRandom(walk('b'), ['b']))).toBe('b')
  })

  test('forgets the oldest presets', () => {
    const history = walk(...Array.from({ length: 500 }, (_, index) => `preset ${index}`))
    expect(history.presets).toHaveLength(200)
    expect(currentPreset(history)).toBe('preset 499')
  })
})

type Resolution = ReturnType<typeof createAdaptiveResolution>

/** Simulates drawing on a machine that needs `ms(scale)` per frame. Returns the final scale. */
function draw(resolution: Resolution, seconds: number, ms: (scale: number) => number) {
  for (let elapsed = 0; elapsed < seconds * 1000; ) {
    const frame = ms(resolution.scale())
    resolution.addFrame(frame)
    elapsed += frame
  }
  return resolution.scale()
}

describe('adaptive resolution', () => {
  const byPixels = (full: number) => (scale: number) => full * scale ** 2

  test('is lowered until frames are fast enough', () => {
    expect(draw(createAdaptiveResolution(), 10, () => 16)).toBe(1)
    expect(draw(createAdaptiveResolution(), 5, byPixels(40))).toBe(0.75)
    expect(draw(createAdaptiveResolution(), 10, byPixels(80))).toBe(0.5)
    expect(draw(createAdaptiveResolution(), 60, byPixels(1000))).toBe(0.35)
  })

  test('rises by a step with each preset that is fast', () => {
    const resolution = createAdaptiveResolution()
    draw(resolution, 30, byPixels(80))
    const scales = [16, 16, 80].map((full) => {
      resolution.raise()
      return draw(resolution, 5, byPixels(full))
    })
    expect(scales).toEqual([0.75, 1, 0.5])
  })

  test('stays when fewer pixels save no time', () => {
    expect(draw(createAdaptiveResolution(), 60, () => 33)).toBe(1)
  })

  test('ignores a single slow frame', () => {
    const resolution = createAdaptiveResolution()
    let frame = 0
    expect(draw(resolution, 60, () => (++frame % 70 === 0 ? 400 : 16))).toBe(1)
    expect(draw(resolution, 60, () => (++frame % 70 === 0 ? 1500 : 16))).toBe(1)
  })

  test.each([
    [{ width: 390, height: 844 }, 3, 1, { width: 780, height: 1688 }],
    [{ width: 1440, height: 900 }, 1, 0.5, { width: 720, height: 450 }],
    [{ width: 3840, height: 2160 }, 2, 1, { width: 1920, height: 1080 }],
    [{ width: 1920, height: 1080 }, 2, 0.35, { width: 672, height: 378 }],
    [{ width: 0, height: 0 }, 1, 1, { width: 16, height: 16 }],
  ])('of %o at ratio %d and scale %d is %o', (box, ratio, scale, drawn) => {
    expect(computeDrawingSize(box, ratio, scale)).toEqual(drawn)
  })
})
