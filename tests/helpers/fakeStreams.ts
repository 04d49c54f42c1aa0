import { parseStream } from '#server/features/radio/azuracast/parseStream.ts'
import type { RadioSource, RelayListener } from '#server/features/radio/types.ts'

/** A requested stream that the test controls. */
export type FakeStream = {
  stationId: number
  signal: AbortSignal
  /** resolves the pending `openStream` call */
  open: (options?: { type?: string; metadataInterval?: number | null }) => void
  refuse: (error: Error) => void
  /** sends bytes; calls `open` first if the stream is not open */
  send: (...chunks: Buffer[]) => void
  end: () => void
  fail: (error: Error) => void
  /** number of chunks that the reader has not read yet */
  unread: () => number
  /** whether the reader has closed the stream */
  isClosed: () => boolean
}

/** A source whose streams the test controls. */
export function fakeSource() {
  const streams: FakeStream[] = []
  const source: Pick<RadioSource, 'openStream'> = {
    openStream: (stationId, signal) =>
      new Promise((resolve, reject) => {
        const queue: (Buffer | Error | null)[] = []
        let wake: (() => void) | undefined
        let returned = false
        let opened = false
        const put = (item: Buffer | Error | null) => {
          stream.open()
          queue.push(item)
          wake?.()
        }
        const next = async (): Promise<IteratorResult<Buffer>> => {
          while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve))
          const item = queue.shift()
          if (item instanceof Error) throw item
          return item ? { done: false, value: item } : { done: true, value: undefined }
        }
        const body: AsyncIterable<Buffer> = {
          [Symbol.asyncIterator]: () => ({
            next,
            return: async () => {
              returned = true
              return { done: true, value: undefined }
            },
          }),
        }
        const stream: FakeStream = {
          stationId,
          signal,
          open: ({ type = 'audio/mpeg', metadataInterval = null } = {}) => {
            if (!opened) resolve(parseStream({ type, metadataInterval, body }, signal))
            opened = true
          },
          refuse: reject,
          send: (...chunks) => chunks.forEach(put),
          end: () => put(null),
          fail: put,
          unread: () => queue.length,
          isClosed: () => returned || signal.aborted,
        }
        streams.push(stream)
      }),
  }
  return { source, streams, last: () => streams.at(-1) as FakeStream }
}

/** A listener that records received data. */
export function fakeListener() {
  const written: Buffer[] = []
  /** what was written, joined by title */
  const parts: { bytes: Buffer; title: string | null }[] = []
  const state = { ended: false, dropped: false, behind: 0 }
  const listener: RelayListener = {
    begin: () => {},
    write: (bytes, title) => {
      if (state.ended || state.dropped) throw new Error('Listener was written to after its end')
      written.push(bytes)
      const last = parts.at(-1)
      if (last && last.title === title) last.bytes = Buffer.concat([last.bytes, bytes])
      else parts.push({ bytes, title })
    },
    bufferedBytes: () => state.behind,
    end: () => {
      state.ended = true
    },
    drop: () => {
      state.dropped = true
    },
  }
  return { listener, written, parts, state, heard: () => Buffer.concat(written) }
}
