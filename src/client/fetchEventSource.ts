/** Delay before a reconnect. */
const RETRY_MS = 1000
/** Longest delay that a server can ask for. */
const MAX_RETRY_MS = 60_000

/**
 * An EventSource for Node, which has none. Unlike in browsers, a server that is too busy or restarts does not end the
 * connection for good.
 */
export class FetchEventSource extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  readonly CONNECTING = 0
  readonly OPEN = 1
  readonly CLOSED = 2
  readyState = 0
  readonly #url: string
  readonly #closing = new AbortController()
  #lastEventId = ''

  constructor(url: string) {
    super()
    this.#url = url
    void this.#run()
  }

  close(): void {
    this.readyState = this.CLOSED
    this.#closing.abort()
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const retryMs = await this.#connect().catch(() => RETRY_MS)
      if (this.#closing.signal.aborted) return
      if (retryMs === null) return this.#fail()
      this.readyState = this.CONNECTING
      this.dispatchEvent(new Event('error'))
      await this.#wait(retryMs)
    }
  }

  /** Reads events until the connection ends. @returns the delay before a reconnect, or null if there is no use in one */
  async #connect(): Promise<number | null> {
    const headers = {
      accept: 'text/event-stream',
      ...(this.#lastEventId !== '' && { 'last-event-id': this.#lastEventId }),
    }
    const response = await fetch(this.#url, { headers, signal: this.#closing.signal })
    const isEventStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    if (!response.ok || !response.body || !isEventStream) {
      await response.body?.cancel()
      const isTemporary = response.status === 429 || response.status >= 500
      const seconds = Number(response.headers.get('retry-after')) || 0
      return isTemporary ? Math.min(Math.max(seconds * 1000, RETRY_MS), MAX_RETRY_MS) : null
    }
    this.readyState = this.OPEN
    this.dispatchEvent(new Event('open'))
    let rest = ''
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      // An empty line ends an event. The site sends no CR.
      const events = (rest + text).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) this.#dispatch(event)
    }
    return RETRY_MS
  }

  #dispatch(event: string): void {
    let type = 'message'
    const data: string[] = []
    for (const line of event.split('\n')) {
      // JSON can contain U+2028, which a dot matches only with the flag `s`.
      const [, field, value = ''] = /^(\w+):? ?(.*)$/s.exec(line) ?? []
      if (field === 'event') type = value
      else if (field === 'data') data.push(value)
      else if (field === 'id') this.#lastEventId = value
    }
    if (data.length === 0 || this.#closing.signal.aborted) return
    this.dispatchEvent(new MessageEvent(type, { data: data.join('\n'), lastEventId: this.#lastEventId }))
  }

  #fail(): void {
    this.close()
    this.dispatchEvent(new Event('error'))
  }

  #wait(ms: number): Promise<void> {
    const { signal } = this.#closing
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
