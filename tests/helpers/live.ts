import superjson from 'superjson'
import type { LiveEvent, Topic } from '#src/contract/events.ts'

export type LiveConnection = {
  /** the code with which the server refused, once it has */
  refusal: () => string | null
  /** resolves with the next event; rejects when none comes within five seconds */
  next: () => Promise<{ id: string; event: LiveEvent }>
  /** resolves when the server has ended the connection */
  ended: Promise<void>
  close: () => void
}

/**
 * Opens an event connection as a browser does.
 * @param givenLast by what a browser that comes back by itself overrides what its page has seen
 */
export async function listen(
  origin: string,
  topics: Topic[],
  lastEventId = '0',
  givenLast?: string,
): Promise<LiveConnection> {
  const input = encodeURIComponent(JSON.stringify(superjson.serialize({ topics, lastEventId })))
  const abort = new AbortController()
  const response = await fetch(`${origin}/trpc/site.live?input=${input}`, {
    headers: { accept: 'text/event-stream', ...(givenLast && { 'last-event-id': givenLast }) },
    signal: abort.signal,
  })
  const waiting: ((item: { id: string; event: LiveEvent }) => void)[] = []
  const arrived: { id: string; event: LiveEvent }[] = []
  let refusal: string | null = null
  const read = async () => {
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        refusal ??= refusalIn(block)
        const item = parse(block)
        // Those a little older than what was seen are told twice, for they may have become visible late.
        const hasNoRow = ['now-playing', 'stale'].includes(item?.event.change.kind ?? '')
        const isNew = hasNoRow || Number(item?.id) > Number(givenLast ?? lastEventId)
        if (item && isNew) (waiting.shift() ?? ((one) => arrived.push(one)))(item)
      }
    }
  }
  return {
    refusal: () => refusal,
    ended: read().catch(() => {}),
    close: () => abort.abort(),
    next: () => {
      const first = arrived.shift()
      if (first) return Promise.resolve(first)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('no event came')), 5000)
        waiting.push((item) => {
          clearTimeout(timer)
          resolve(item)
        })
      })
    },
  }
}

/** Null for what is no event of ours: the greeting, pings and the good-bye. */
function parse(block: string): { id: string; event: LiveEvent } | null {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
  const [id, data] = [field('id'), field('data')]
  return id && data && !field('event') ? { id, event: superjson.deserialize(JSON.parse(data)) } : null
}

function refusalIn(block: string): string | null {
  const data = /^event: ?serialized-error\r?\ndata: ?(.*)$/m.exec(block)?.[1]
  return data ? (superjson.deserialize(JSON.parse(data)) as { data: { code: string } }).data.code : null
}
