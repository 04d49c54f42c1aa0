import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '#server/core/errors.ts'
import { RadioUnavailable } from '#server/features/radio/types.ts'
import { endlessSound, silence } from './endlessSound.ts'

const FIXTURES = new URL('../fixtures/azuracast/', import.meta.url)
export const RADIO_KEY = 'radio-key-that-only-tests-know'

/** API calls of the service. `download` and `stream` return audio. */
export type RadioCall = 'stations' | 'nowplaying' | 'streamers' | 'broadcasts' | 'art' | 'download' | 'stream'

/** Response to a call: an example file, a JSON value, or a failure. */
export type Behaviour =
  | { fixture: string; delayMs?: number }
  | { json: unknown; status?: number; headers?: Record<string, string> }
  | { bytes: string | Uint8Array; type?: string; status?: number; headers?: Record<string, string> }
  | { tooMany: string | null }
  | { redirect: string }
  /** `silence` never responds, `head only` sends no body */
  | 'silence'
  | 'head only'
  /** an endless slow body */
  | 'drip'
  /** closes the connection in the middle of the body */
  | 'death'
  | 'forbidden'
  | 'html'
  | 'broken'

type Whole = Exclude<Behaviour, 'silence' | 'head only' | 'drip' | 'death'>
type Answer = { body: string | Uint8Array; type?: string; status?: number; headers?: Record<string, string> }

export type RadioService = {
  url: string
  /** all received requests, in order */
  requests: { call: RadioCall | null; path: string; headers: IncomingHttpHeaders; at: number }[]
  count: (call?: RadioCall) => number
  /** sets the response to a call; null restores the example */
  set: (call: RadioCall | 'all', behaviour: Behaviour | null) => void
  /** title in the stream's ICY metadata */
  title: string
  /** content of every recording; `ranges` enables Range requests */
  recording: Buffer
  ranges: boolean
  /** current number of stream listeners */
  listeners: () => number
  /** aborts all streams, to simulate a crash */
  killStreams: () => void
  close: () => Promise<void>
}

const calls: [RadioCall, RegExp, string | null][] = [
  ['stations', /^\/api\/stations$/, 'stations'],
  ['nowplaying', /^\/api\/nowplaying\/1$/, 'nowplaying'],
  ['streamers', /^\/api\/station\/1\/streamers$/, 'streamers'],
  ['broadcasts', /^\/api\/station\/1\/streamer\/[345]\/broadcasts$/, 'broadcasts-0.21+'],
  ['download', /^\/api\/station\/1\/streamer\/3\/broadcast\/\d+\/download$/, null],
  ['art', /^\/api\/station\/1\/art\//, null],
  ['stream', /^\/listen\//, null],
]
const NEEDS_KEY: (RadioCall | null)[] = ['streamers', 'broadcasts', 'download']

/**
 * Starts a fake AzuraCast server on a free port, with the station, streamer and broadcasts from the example files.
 * @param options.sound frames that the stream repeats, at `bytesPerSecond`
 */
export async function startRadioService(
  options: { sound?: Buffer; bytesPerSecond?: number; art?: Buffer; port?: number } = {},
): Promise<RadioService> {
  const behaviours = new Map<RadioCall, Behaviour>()
  const { sound = silence(10), bytesPerSecond = 16_000 } = options
  const streams = endlessSound(sound, bytesPerSecond, () => service.title)
  const server = createServer((request, response) => {
    response.on('error', () => {})
    const { pathname } = new URL(request.url ?? '/', 'http://service')
    const call = calls.find(([, pattern]) => pattern.test(pathname))?.[0] ?? null
    service.requests.push({ call, path: request.url ?? '', headers: request.headers, at: Date.now() })
    const behaviour = call && behaviours.get(call)
    if (behaviour) behave(response, behaviour)
    else if (NEEDS_KEY.includes(call) && request.headers.authorization !== `Bearer ${RADIO_KEY}`) {
      behave(response, 'forbidden')
    } else answer(call, request, response)
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')

  const service: RadioService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    count: (call) => service.requests.filter((one) => call === undefined || one.call === call).length,
    set(call, behaviour) {
      for (const one of call === 'all' ? calls.map(([name]) => name) : [call]) {
        if (behaviour) behaviours.set(one, behaviour)
        else behaviours.delete(one)
      }
    },
    title: '',
    recording: silence(5),
    ranges: true,
    listeners: streams.count,
    killStreams: streams.kill,
    async close() {
      streams.kill()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return service

  function answer(call: RadioCall | null, request: IncomingMessage, response: ServerResponse): void {
    const fixture = calls.find(([name]) => name === call)?.[2]
    if (fixture) behave(response, { fixture })
    else if (call === 'stream') streams.add(request, response)
    else if (call === 'download') sendRecording(service, request, response)
    else if (call === 'art' && options.art) behave(response, { bytes: options.art, type: 'image/jpeg' })
    else behave(response, { bytes: readExample('error-404'), type: 'application/json', status: 404 })
  }

  function readExample(name: string): string {
    const text = readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8')
    // lets stream URLs point to this server; image URLs keep another host, as can happen behind a proxy
    return text.replaceAll('https://radio.example', service.url)
  }

  function behave(response: ServerResponse, behaviour: Behaviour): void {
    if (behaviour === 'head only' || behaviour === 'drip' || behaviour === 'death') halfWay(response, behaviour)
    else if (typeof behaviour === 'object' && 'delayMs' in behaviour) {
      setTimeout(() => send(response, behaviour), behaviour.delayMs)
    } else if (behaviour !== 'silence') send(response, behaviour)
  }

  function send(response: ServerResponse, behaviour: Whole): void {
    const { status = 200, headers, type = 'application/json', body } = whole(behaviour)
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  }

  function whole(behaviour: Whole): Answer {
    if (behaviour === 'forbidden') return { body: readExample('error-403'), status: 403 }
    if (behaviour === 'html') return { body: '<!doctype html><title>Proxy</title>', type: 'text/html' }
    if (behaviour === 'broken') return { body: 'Internal error', type: 'text/plain', status: 500 }
    if ('fixture' in behaviour) return { body: readExample(behaviour.fixture) }
    if ('redirect' in behaviour) return { body: '', status: 302, headers: { location: behaviour.redirect } }
    if ('json' in behaviour) return { ...behaviour, body: JSON.stringify(behaviour.json) }
    if ('bytes' in behaviour) return { type: 'application/octet-stream', ...behaviour, body: behaviour.bytes }
    const headers: Record<string, string> = behaviour.tooMany === null ? {} : { 'retry-after': behaviour.tooMany }
    return { body: '{"code":429,"success":false}', status: 429, headers }
  }
}

function halfWay(response: ServerResponse, how: 'head only' | 'drip' | 'death'): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000_000 })
  response.write('{"now_')
  if (how === 'death') setTimeout(() => response.destroy(), 50)
  if (how !== 'drip') return
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
}

function sendRecording({ recording, ranges }: RadioService, { headers }: IncomingMessage, response: ServerResponse) {
  const type = { 'content-type': 'audio/mpeg' }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (!ranges || first === undefined) {
    return response.writeHead(200, { ...type, 'content-length': recording.length }).end(recording)
  }
  const start = Number(first)
  const end = last ? Math.min(Number(last), recording.length - 1) : recording.length - 1
  if (start >= recording.length)
    return response.writeHead(416, { 'content-range': `bytes */${recording.length}` }).end()
  const range = { 'content-range': `bytes ${start}-${end}/${recording.length}`, 'content-length': end - start + 1 }
  return response.writeHead(206, { ...type, ...range }).end(recording.subarray(start, end + 1))
}

/** Returns what became of a request to the service. */
export const outcome = (asked: Promise<unknown>) =>
  asked.then(
    () => 'an answer',
    (error) =>
      error instanceof RadioUnavailable
        ? `away: ${error.reason}`
        : error instanceof AppError
          ? `${error.code}: ${error.message}`
          : error,
  )
