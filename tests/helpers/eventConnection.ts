import superjson from 'superjson'
import type { SiteEvent, Topic } from '#src/contract/events.ts'
import type { Language } from '#src/contract/languages.ts'

export type EventConnection = {
  /** error code if the server refused the connection */
  errorCode: () => string | null
  /** resolves to the next event; rejects after twenty seconds */
  next: () => Promise<{ id: string; event: SiteEvent }>
  /** resolves when the server has closed the connection */
  ended: Promise<void>
  close: () => void
}

/**
 * Opens an event connection in the same way as a browser.
 * @param lastEventIdHeader Last-Event-ID that a reconnecting browser sends; it overrides `lastEventId`
 * @param html language of the page, which then receives posts as HTML
 */
export async function openEventConnection(
  origin: string,
  topics: Topic[],
  lastEventId = '0',
  lastEventIdHeader?: string,
  html?: Language,
): Promise<EventConnection> {
  const input = encodeURIComponent(JSON.stringify(superjson.serialize({ topics, lastEventId, ...(html && { html }) })))
  const abort = new AbortController()
  const response = await fetch(`${origin}/trpc/site.events?input=${input}`, {
    headers: { accept: 'text/event-stream', ...(lastEventIdHeader && { 'last-event-id': lastEventIdHeader }) },
    signal: abort.signal,
  })
  const waiting: ((item: { id: string; event: SiteEvent }) => void)[] = []
  const arrived: { id: string; event: SiteEvent }[] = []
  let errorCode: string | null = null
  const read = async () => {
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        errorCode ??= parseErrorCode(block)
        const item = parse(block)
        // ignores old event IDs: the server replays some events, because they can be committed out of order
        const hasNoRow = ['now-playing', 'stale'].includes(item?.event.change.kind ?? '')
        const isNew = hasNoRow || Number(item?.id) > Number(lastEventIdHeader ?? lastEventId)
        if (item && isNew) (waiting.shift() ?? ((one) => arrived.push(one)))(item)
      }
    }
  }
  return {
    errorCode: () => errorCode,
    ended: read().catch(() => {}),
    close: () => abort.abort(),
    next: () => {
      const first = arrived.shift()
      if (first) return Promise.resolve(first)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('No event within 20 s')), 20_000)
        waiting.push((item) => {
          clearTimeout(timer)
          resolve(item)
        })
      })
    },
  }
}

/** Returns null for messages that are not events: greeting, ping and end. */
function parse(block: string): { id: string; event: SiteEvent } | null {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
  const [id, data] = [field('id'), field('data')]
  return id && data && !field('event') ? { id, event: superjson.deserialize(JSON.parse(data)) } : null
}

function parseErrorCode(block: string): string | null {
  const data = /^event: ?serialized-error\r?\ndata: ?(.*)$/m.exec(block)?.[1]
  return data ? (superjson.deserialize(JSON.parse(data)) as { data: { code: string } }).data.code : null
}
