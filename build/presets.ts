import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import type { Plugin } from 'vite'

/** A preset as its pack stores it. Each equation is the source code of a function that takes `a`. */
type Source = {
  baseVals: object
  shapes: Part[]
  waves: Part[]
  init_eqs_str: string
  frame_eqs_str: string
  pixel_eqs_str: string
  warp: string
  comp: string
}
type Part = {
  baseVals: { enabled?: number }
  init_eqs_str?: string
  frame_eqs_str?: string
  point_eqs_str?: string
}
type Image = { data: string; width: number; height: number }

const NAMES = 'virtual:presets'
const LOADERS = 'virtual:presets/load'
const ONE = 'virtual:presets/preset-'
const IMAGE = 'virtual:presets/image-'

/**
 * Compiles the visualiser's presets to modules: `virtual:presets` exports the preset names of both packs, and
 * `virtual:presets/load` exports one import function per preset. Otherwise butterchurn would compile the equations in
 * the browser, and the content security policy forbids that.
 */
export function presets(): Plugin {
  let packs: ReturnType<typeof readPacks> | undefined
  return {
    name: 'presets',
    resolveId: (id) => (id === NAMES || id.startsWith(`${NAMES}/`) ? `\0${id}` : undefined),
    load(resolved) {
      if (!resolved.startsWith(`\0${NAMES}`)) return
      const id = resolved.slice(1)
      packs ??= readPacks()
      const { base, extra, all, images } = packs
      if (id === NAMES) return `export const base = ${toCode(base)}\nexport const extra = ${toCode(extra)}`
      if (id === LOADERS) {
        // Only browsers render presets, so the server needs no loaders.
        const server = this.environment.config.consumer === 'server'
        const loaders = server ? [] : all.map((_, index) => `() => import('${ONE}${index}')`)
        return `export const load = [${loaders.join(',\n')}]`
      }
      if (id.startsWith(IMAGE)) return `export default ${toCode(images[id.slice(IMAGE.length)])}`
      const [name, source] = all[Number(id.slice(ONE.length))] ?? []
      if (name && source) return compile(name, source, Object.keys(images))
    },
  }
}

function readPacks() {
  const baseSources = evaluate('butterchurn-presets/lib/butterchurnPresets.min.js').getPresets()
  const extraSources = evaluate('butterchurn-presets/lib/butterchurnPresetsExtra.min.js').getPresets()
  const images: Record<string, Image> = evaluate('butterchurn/lib/butterchurnExtraImages.min.js').getImages()
  const base = sorted(Object.keys(baseSources))
  const extra = sorted(Object.keys(extraSources).filter((name) => !base.includes(name)))
  const sources: Record<string, Source> = { ...extraSources, ...baseSources }
  const all = [...base, ...extra].map((name) => [name, sources[name]] as const)
  return { base, extra, all, images }
}

const sorted = (names: string[]) => names.sort((a, b) => a.localeCompare(b, 'en'))

/** Runs a pack in a separate context that has a `window`. */
function evaluate(file: string) {
  const module = { exports: {} as { default?: unknown } }
  const path = createRequire(import.meta.url).resolve(file)
  runInNewContext(readFileSync(path, 'utf8'), { module, exports: module.exports, window: {} })
  // biome-ignore lint/suspicious/noExplicitAny: the packs have no types
  return (module.exports.default ?? module.exports) as any
}

const toCode = (data: unknown) => JSON.stringify(data)

function compile(name: string, source: Source, images: string[]): string {
  const equations = (body = '') => {
    try {
      // JavaScript modules are strict, so the build must fail if an equation needs sloppy mode.
      new Function('a', `'use strict'; ${body}`)
    } catch (error) {
      throw new Error(`The preset '${name}' has invalid equations`, { cause: error })
    }
    return `(a) => { ${body}\n; return a }`
  }
  const part = ({ baseVals, init_eqs_str, frame_eqs_str, point_eqs_str }: Part, isWave: boolean) => {
    const fields = [`baseVals: ${toCode(baseVals)}`]
    if (baseVals.enabled) {
      fields.push(`init_eqs: ${equations(init_eqs_str)}`, `frame_eqs: ${equations(frame_eqs_str)}`)
      // butterchurn expects an empty string if there are no equations.
      if (isWave) fields.push(`point_eqs: ${point_eqs_str ? equations(point_eqs_str) : "''"}`)
    }
    return `{ ${fields.join(', ')} }`
  }
  const shown = images.filter((image) => new RegExp(`\\bsampler_${image}\\b`).test(source.warp + source.comp))

  return `${shown.map((image, index) => `import image${index} from '${IMAGE}${image}'`).join('\n')}
export const images = { ${shown.map((image, index) => `${image}: image${index}`).join(', ')} }
export default {
  baseVals: ${toCode(source.baseVals)},
  shapes: [${source.shapes.map((shape) => part(shape, false)).join(',\n')}],
  waves: [${source.waves.map((wave) => part(wave, true)).join(',\n')}],
  init_eqs: ${equations(source.init_eqs_str)},
  frame_eqs: ${equations(source.frame_eqs_str)},
  pixel_eqs: ${source.pixel_eqs_str ? equations(source.pixel_eqs_str) : "''"},
  warp: ${toCode(source.warp)},
  comp: ${toCode(source.comp)},
}`
}
