import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openStage, type Stage } from '../helpers/browser.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({}, { graphics: true })
})
afterAll(() => stage.close())

type Outcome = { index: number; problem: string | null }
declare global {
  interface Window {
    outcomes: Outcome[]
    finished: boolean
    violations: string[]
  }
}

/** Where the build has put the modules, in the order of the names. */
function builtModules() {
  const assets: Record<string, { file: string }> = JSON.parse(readFileSync('dist/assets.json', 'utf8'))
  const address = (module: string) => `/${assets[module]?.file}`
  const presets = Object.keys(assets).filter((module) => /^virtual:presets\/preset-\d+$/.test(module))
  return {
    butterchurn: address('node_modules/butterchurn/lib/butterchurn.js'),
    presets: presets.map((_, index) => address(`virtual:presets/preset-${index}`)),
  }
}

/**
 * Runs in the page as one of its own scripts, under its policy: draws each preset on its own, after a black picture,
 * and notes what threw, what the graphics complained of and what stayed black.
 */
async function drawPresets(work: { butterchurn: string; presets: string[]; indexes: number[] }) {
  const size = { width: 96, height: 72 }
  const FRAMES = 10
  const MOST_FRAMES = 60

  // the same presets are black, or not, in every run
  let seed = 1
  Math.random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  window.outcomes = []
  window.violations = []
  document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective))

  const { default: exported } = await import(work.butterchurn)
  const canvas = Object.assign(document.createElement('canvas'), size)
  const gl = canvas.getContext('webgl2', { preserveDrawingBuffer: true }) as WebGL2RenderingContext
  const programs: WebGLProgram[] = []
  const link = gl.linkProgram.bind(gl)
  gl.linkProgram = (program) => {
    programs.push(program)
    link(program)
  }
  const visualizer = exported.default.createVisualizer(null, canvas, {
    ...size,
    pixelRatio: 1,
    meshWidth: 24,
    meshHeight: 18,
  })

  const sound = new Uint8Array(1024)
  const render = (frame: number) => {
    for (let at = 0; at < sound.length; at += 1) {
      const t = (frame * 735 + at) / 44_100
      const beat = frame % 8 < 3 ? 1 : 0.3
      const wave = 0.5 * beat * Math.sin(2 * Math.PI * 60 * t) + 0.25 * Math.sin(2 * Math.PI * 700 * t)
      sound[at] = 128 + 100 * (wave + 0.15 * (Math.random() * 2 - 1))
    }
    visualizer.render({
      audioLevels: { timeByteArray: sound, timeByteArrayL: sound, timeByteArrayR: sound },
      elapsedTime: 1 / 30,
    })
  }
  const pixels = new Uint8Array(size.width * size.height * 4)
  const isBlack = () => {
    gl.readPixels(0, 0, size.width, size.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
    return pixels.every((value, at) => at % 4 === 3 || value < 16)
  }
  const same = (a: unknown) => a
  const none = { baseVals: {}, shapes: [], waves: [], init_eqs: same, frame_eqs: same, pixel_eqs: '' }
  const black = { ...none, warp: 'shader_body { ret = vec3(0.0); }', comp: 'shader_body { ret = vec3(0.0); }' }

  async function problemOf(index: number): Promise<string | null> {
    visualizer.loadPreset(black, 0)
    render(0)
    render(1)
    if (!isBlack()) return 'the picture before it is not black'
    programs.length = 0
    const { default: preset, images } = await import(work.presets[index] ?? '')
    visualizer.loadExtraImages(images)
    visualizer.loadPreset(preset, 0)
    let frame = 0
    while (frame < FRAMES || (frame < MOST_FRAMES && isBlack())) {
      render(frame)
      frame += 1
    }
    const broken = programs.filter((program) => !gl.getProgramParameter(program, gl.LINK_STATUS))
    const complaints = broken.map((program) => gl.getProgramInfoLog(program))
    const error = gl.getError()
    if (error !== gl.NO_ERROR) complaints.push(`GL error ${error}`)
    if (complaints.length > 0) return complaints.join('; ')
    return isBlack() ? `black after ${frame} frames` : null
  }

  for (const index of work.indexes) {
    const problem = await problemOf(index).catch((error) => `threw ${error}`)
    window.outcomes.push({ index, problem })
    // a breath for the page, and for whoever waits for it
    await new Promise((resolve) => setTimeout(resolve))
  }
  window.finished = true
}

test('each of the 245 presets draws', { timeout: 240_000 }, async () => {
  const page = await stage.visit('/visualizer')
  const options = page.getByRole('combobox', { name: 'Visualiser preset' }).locator('option')
  await expect(options).toHaveCount(245)
  const names = await options.evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value))
  const { butterchurn, presets } = builtModules()
  expectValue(presets).toHaveLength(245)

  const halves = [0, 1].map((half) => presets.map((_, index) => index).filter((index) => index % 2 === half))
  const outcomes = await Promise.all(
    halves.map(async (indexes) => {
      const half = await stage.visit('/login')
      await half.addInitScript(drawPresets, { butterchurn, presets, indexes })
      await half.goto('/login')
      await half.waitForFunction(() => window.finished, undefined, { timeout: 200_000, polling: 500 })
      expectValue(await half.evaluate(() => window.violations)).toEqual([])
      return half.evaluate(() => window.outcomes)
    }),
  )
  const failed = outcomes.flat().filter(({ problem }) => problem !== null)
  expectValue(outcomes.flat()).toHaveLength(245)
  expectValue(failed.map(({ index, problem }) => `${names[index]}: ${problem}`)).toEqual([])
})
