import { Agent, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach } from 'vitest'
import type { Radio } from '#server/features/radio/createRadio.ts'
import { registerRecordingDownload } from '#server/features/radio/record/archive/downloadRoute.ts'
import type { SourceRecording } from '#server/features/radio/types.ts'
import { sendApiError } from '#server/plugins/api/rest.ts'
import { t } from '#src/i18n/t.ts'

export const PATH = '/api/radio/station/1/streamer/3/broadcast/7/download'
export const UNAVAILABLE = { success: false, error: t('radio.unavailable') }
export const SOUND = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))

export const STREAMER = { id: 3, streamer_username: 'dj_test', display_name: 'Test DJ', comments: null }
export const BROADCAST = {
  id: 7,
  title: null,
  timestampStart: '2026-02-22T23:30:00.000Z',
  timestampEnd: '2026-02-23T01:00:00.000Z',
  recording: { size: SOUND.length },
}

export type Open = Radio['openRecording']
export type Signal = Parameters<Open>[2]

// keeps connections alive, as browsers do; a client with missing bytes waits until the server closes the connection
export let agent = new Agent({ keepAlive: true })
export let app: FastifyInstance
afterEach(async () => {
  agent.destroy()
  agent = new Agent({ keepAlive: true })
  await app.close()
})

export async function* pieces(bytes: Buffer, size = 7_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export const whole = (body: AsyncIterable<Buffer> = pieces(SOUND)): SourceRecording => ({
  type: 'audio/mpeg',
  size: SOUND.length,
  isPart: false,
  body,
})

/** Opens a recording with range support, as AzuraCast and the embedded station do. */
export const ranged: Open = async (_ids, range) =>
  range ? { ...whole(pieces(SOUND.subarray(range.start, range.end + 1))), isPart: true } : whole()

/** Starts a server that has only the download route. */
export async function serve(openRecording: Open, radio: Partial<Radio> = {}, bounds: Record<string, number> = {}) {
  app = Fastify({ routerOptions: { maxParamLength: 1000 } })
  app.setErrorHandler((error, request, reply) => sendApiError(error, request, reply))
  const source = {
    streamers: async () => ({ streamers: [STREAMER], available: true }),
    broadcasts: async () => ({ broadcasts: [BROADCAST], available: true }),
    openRecording,
    ...radio,
  } as Radio
  const usual = { stallMs: 20_000, idleMs: 120_000, maxDownloads: 200, maxPerNetwork: 24 }
  registerRecordingDownload(app, { radio: source, costs: { charge: () => {} } }, { ...usual, ...bounds })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}

export const port = () => (app.server.address() as AddressInfo).port
export const ask = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET', url = PATH) =>
  app.inject({ method, url, headers })

/** Downloads the recording. `isWhole` tells whether the response was complete. */
export async function read(headers: Record<string, string> = {}) {
  const message = await open(headers)
  const received: Buffer[] = []
  message.on('data', (piece: Buffer) => received.push(piece))
  const isWhole = await new Promise<boolean>((resolve) => {
    message.on('end', () => resolve(message.complete))
    message.on('error', () => resolve(false))
  })
  return { message, bytes: Buffer.concat(received), isWhole }
}

export const open = (headers: Record<string, string> = {}) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ port: port(), host: '127.0.0.1', path: PATH, headers, agent }, resolve).on('error', reject)
  })

/** Creates a source that sends `first` and then nothing until the download is aborted. */
export function stalledSource(first: Buffer, signals: Signal[] = []) {
  const opened: Open = async (_ids, _range, signal) => {
    signals.push(signal)
    return whole(
      (async function* () {
        yield first
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
      })(),
    )
  }
  return { opened, signals }
}
