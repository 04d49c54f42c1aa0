/** Made by `build/presets.ts`. */
declare module 'virtual:presets' {
  export const base: string[]
  export const extra: string[]
}

declare module 'virtual:presets/load' {
  import type { Images, Preset } from 'butterchurn'
  /** in the order of the names: those of `base`, then those of `extra` */
  export const load: (() => Promise<{ default: Preset; images: Images }>)[]
}

/** The parts of butterchurn that are used; it comes without types. */
declare module 'butterchurn' {
  export type Preset = { baseVals: object }
  export type Images = Record<string, { data: string; width: number; height: number }>
  /** samples of the moment, 1,024 bytes each, 128 being silence */
  export type AudioLevels = {
    timeByteArray: Uint8Array
    timeByteArrayL: Uint8Array
    timeByteArrayR: Uint8Array
  }
  export type Visualizer = {
    loadPreset: (preset: Preset, blendSeconds: number) => void
    loadExtraImages: (images: Images) => void
    setRendererSize: (width: number, height: number) => void
    render: (frame: { audioLevels: AudioLevels }) => void
  }
  type Butterchurn = {
    createVisualizer: (
      context: AudioContext,
      canvas: HTMLCanvasElement,
      options: { width: number; height: number; pixelRatio?: number; textureRatio?: number },
    ) => Visualizer
  }
  /** in the build the module's exports, in development their default: it is of the time before modules */
  const exported: Butterchurn | { default: Butterchurn }
  export default exported
}
