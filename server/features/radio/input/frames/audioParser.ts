import type { Frame } from './frameScanner.ts'
import { createAdtsParser, createMpegParser } from './mpeg.ts'
import { createOggParser, type OggPage } from './ogg.ts'

/** `title` is the title from this frame on. */
export type AudioFrame = Frame & Partial<Omit<OggPage, keyof Frame>> & { title?: string }
export type AudioParser = {
  push(chunk: Buffer): AudioFrame[]
  /** media type of the audio; null until it is detected */
  type(): string | null
}

const KINDS = {
  mpeg: { type: 'audio/mpeg', create: createMpegParser },
  aac: { type: 'audio/aac', create: createAdtsParser },
  ogg: { type: 'audio/ogg', create: createOggParser },
} as const

/** Media types that servers send. For a generic type, the format is detected from the data. */
const KINDS_BY_MEDIA_TYPE: Record<string, (keyof typeof KINDS)[]> = {
  'audio/mpeg': ['mpeg'],
  'audio/mp3': ['mpeg'],
  'audio/mpeg3': ['mpeg'],
  'audio/x-mp3': ['mpeg'],
  'audio/x-mpeg': ['mpeg'],
  'audio/x-mpeg-3': ['mpeg'],
  'audio/aac': ['aac'],
  'audio/aacp': ['aac'],
  'audio/x-aac': ['aac'],
  'audio/x-aacp': ['aac'],
  'audio/x-hx-aac-adts': ['aac'],
  'application/ogg': ['ogg'],
  'application/x-ogg': ['ogg'],
  'audio/ogg': ['ogg'],
  'audio/opus': ['ogg'],
  'audio/vorbis': ['ogg'],
  'audio/x-ogg': ['ogg'],
  'application/octet-stream': ['ogg', 'aac', 'mpeg'],
  'binary/octet-stream': ['ogg', 'aac', 'mpeg'],
  '': ['ogg', 'aac', 'mpeg'],
}

export function createAudioParser(contentType: string): AudioParser | null {
  const name = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const kinds = Object.hasOwn(KINDS_BY_MEDIA_TYPE, name) ? KINDS_BY_MEDIA_TYPE[name] : undefined
  if (!kinds) return null
  let candidates = kinds.map((kind) => ({ type: KINDS[kind].type, parser: KINDS[kind].create() }))
  return {
    push(chunk) {
      for (const candidate of candidates) {
        const frames: AudioFrame[] = candidate.parser.push(chunk)
        if (frames.length === 0) continue
        candidates = [candidate]
        return frames
      }
      return []
    },
    type: () => (candidates.length === 1 ? (candidates[0]?.type ?? null) : null),
  }
}
