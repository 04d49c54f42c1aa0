import type { AudioFrame } from '#server/features/radio/input/frames/audioParser.ts'
import { createOggSplicer } from './oggSplicer.ts'

export const OGG = 'audio/ogg'

/** Turns frames into the bytes of one file. */
export type Muxer = {
  /** @returns null if the frame needs another decoder, so that another file must begin; `rest` then has its frames */
  push(frame: AudioFrame): Buffer[] | null
  /** Returns header pages that came before the refused frame. */
  rest(): AudioFrame[]
  /** Notes that frames are missing before the next frame. */
  skip(): void
  /** Returns the last bytes of a complete file. */
  end(): Buffer[]
  /** Returns the duration of the pushed frames. */
  seconds(): number
}

export const createMuxer = (type: string): Muxer => (type === OGG ? createOggMuxer() : createFrameMuxer())

function createOggMuxer(): Muxer {
  const splicer = createOggSplicer()
  return {
    ...splicer,
    rest: () => splicer.takeHeaders().map((bytes) => ({ bytes, seconds: 0, format: '', isHeader: true })),
  }
}

/** Frames of MPEG and AAC can follow each other as long as their format is the same. */
function createFrameMuxer(): Muxer {
  let format: string | null = null
  let seconds = 0
  return {
    push(frame) {
      format ??= frame.format
      if (frame.format !== format) return null
      seconds += frame.seconds
      return [frame.bytes]
    },
    rest: () => [],
    skip: () => {},
    end: () => [],
    seconds: () => seconds,
  }
}
