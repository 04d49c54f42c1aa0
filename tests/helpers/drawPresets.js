/**
 * Draws each preset of `window.work.indexes` after a black frame, and records exceptions, graphics errors and black
 * results in `window.outcomes`. Runs in the page, so the page's security policy applies. This is a separate script:
 * in a test file, the test runner would rewrite its imports, and they would fail in the page.
 */
;(() => {
  const SIZE = { width: 96, height: 72 }
  const FRAMES = 6
  const MOST_FRAMES = 60

  // a seeded generator makes results reproducible
  let seed = 1
  Math.random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  window.outcomes = []
  window.violations = []
  document.addEventListener('securitypolicyviolation', (event) =>
    window.violations.push(
      `${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}:${event.columnNumber}`,
    ),
  )

  const same = (a) => a
  const shader = 'shader_body { ret = vec3(0.0); }'
  const black = {
    baseVals: {},
    shapes: [],
    waves: [],
    init_eqs: same,
    frame_eqs: same,
    pixel_eqs: '',
    warp: shader,
    comp: shader,
  }

  async function draw({ butterchurn, presets, indexes }) {
    const exported = await import(butterchurn)
    const canvas = Object.assign(document.createElement('canvas'), SIZE)
    const gl = canvas.getContext('webgl2', { preserveDrawingBuffer: true })
    const programs = []
    const link = gl.linkProgram.bind(gl)
    gl.linkProgram = (program) => {
      programs.push(program)
      link(program)
    }
    const options = { ...SIZE, pixelRatio: 1, meshWidth: 16, meshHeight: 12 }
    const visualizer = exported.default.default.createVisualizer(null, canvas, options)
    const sound = new Uint8Array(1024)
    const pixels = new Uint8Array(SIZE.width * SIZE.height * 4)

    function render(frame) {
      const beat = frame % 8 < 3 ? 1 : 0.3
      for (let at = 0; at < sound.length; at += 1) {
        const t = (frame * 735 + at) / 44_100
        const tones = 0.5 * beat * Math.sin(2 * Math.PI * 60 * t) + 0.25 * Math.sin(2 * Math.PI * 700 * t)
        sound[at] = 128 + 100 * (tones + 0.15 * (Math.random() * 2 - 1))
      }
      const audioLevels = { timeByteArray: sound, timeByteArrayL: sound, timeByteArrayR: sound }
      visualizer.render({ audioLevels, elapsedTime: 1 / 30 })
    }

    function isBlack() {
      gl.readPixels(0, 0, SIZE.width, SIZE.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
      return pixels.every((value, at) => at % 4 === 3 || value < 16)
    }

    async function problemOf(address) {
      visualizer.loadPreset(black, 0)
      render(0)
      render(1)
      if (!isBlack()) return 'the picture before it is not black'
      const { default: preset, images } = await import(address)
      programs.length = 0
      visualizer.loadExtraImages(images)
      visualizer.loadPreset(preset, 0)
      let frame = 0
      while (frame < FRAMES || (frame < MOST_FRAMES && isBlack())) {
        render(frame)
        frame += 1
      }
      const broken = programs.filter((program) => !gl.getProgramParameter(program, gl.LINK_STATUS))
      if (broken.length > 0) return broken.map((program) => gl.getProgramInfoLog(program)).join('; ')
      const error = gl.getError()
      if (error !== gl.NO_ERROR) return `GL error ${error}`
      return isBlack() ? `black after ${frame} frames` : null
    }

    for (const index of indexes) {
      const problem = await problemOf(presets[index]).catch((error) => `threw ${error}`)
      window.outcomes.push({ index, problem })
      // yields, so that the page can process events and the test can poll
      await new Promise((resolve) => setTimeout(resolve))
    }
  }

  draw(window.work).then(
    () => {
      window.finished = 'drawn'
    },
    (error) => {
      window.finished = String(error.stack)
    },
  )
})()
