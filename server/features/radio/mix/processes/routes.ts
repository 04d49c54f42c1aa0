import type { ServerResponse } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { hijack } from '#server/core/http/hijack.ts'
import { hashToken, verifyToken } from '#server/core/security/capability.ts'
import { mediaTypeOf } from '#server/features/radio/input/frames/audioParser.ts'
import type { SoundChange } from '#server/features/radio/mix/sound.ts'
import { refusal } from '#src/contract/refusal.ts'
import { encodeMessage, type HostMessage, SOUND_PATH } from './followHost.ts'
import { answerCall, CALL_PATH } from './host.ts'

/** Other processes fall back to the music two seconds after the last message. */
const PING_MS = 500
/** Limits memory for a process that does not read: about a minute of sound. */
const MAX_UNREAD_BYTES = 1024 * 1024
const ANY_ADDRESS = /^(?:0\.0\.0\.0|::)$/

/** Serves the other processes of the site. The same SECRET_KEY makes the same token. */
export function registerLiveHost(app: FastifyInstance, services: Services): void {
  const { live, liveHost, config } = services
  const tokenHash = hashToken(liveHost.authorization, 'utf8')
  const readers = new Set<ServerResponse>()

  /** For others, these URLs do not exist. */
  function assertProcess({ headers }: FastifyRequest): void {
    if (!verifyToken(headers.authorization, tokenHash, 'utf8')) throw errors.notFound(refusal('failure.notFound'))
  }

  app.get(SOUND_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    assertProcess(request)
    if (!liveHost.isHost()) throw errors.unavailable(refusal('radio.unavailable'))
    const raw = hijack(reply)
    raw.on('error', () => {})
    raw.writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' })
    const send = (message: HostMessage) => {
      if (raw.writableLength > MAX_UNREAD_BYTES || !liveHost.isHost()) raw.destroy()
      else raw.write(encodeMessage(message))
    }
    // During an upgrade, processes of the earlier version need the media type for their listeners.
    const sendSound = (change: SoundChange) =>
      send(change.kind === 'start' ? Object.assign({ type: mediaTypeOf(change.format) }, change) : change)
    const sendState = () => send({ kind: 'state', state: live.ownState() })
    readers.add(raw)
    const pings = setInterval(() => send({ kind: 'ping' }), PING_MS)
    // The title first: it belongs to the sound that follows.
    sendState()
    const stops = [live.sound.observe(sendSound), live.onChange(sendState)]
    raw.once('close', () => {
      readers.delete(raw)
      clearInterval(pings)
      for (const stop of stops) stop()
    })
  })

  // The token is checked before the body is read.
  app.post(CALL_PATH, { onRequest: async (request) => assertProcess(request) }, async (request, reply) => {
    return reply.header('cache-control', 'no-store').type('application/json').send(answerCall(live, request.body))
  })

  app.addHook('onListen', async () => {
    const { address, port } = app.server.address() as AddressInfo
    liveHost.start(
      services,
      config.internalUrl ?? `http://${formatHost(ANY_ADDRESS.test(address) ? findAddress() : address)}:${port}`,
    )
  })
  app.addHook('preClose', async () => {
    await liveHost.close()
    for (const reader of readers) reader.destroy()
  })
}

const formatHost = (address: string) => (isIPv6(address) ? `[${address}]` : address)

/** Returns the first address of this machine or container in a network, or its own address if it has no network. */
function findAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? [])
  const usable = addresses.filter(({ internal, family, scopeid }) => !internal && (family === 'IPv4' || scopeid === 0))
  return (usable.find(({ family }) => family === 'IPv4') ?? usable[0])?.address ?? '127.0.0.1'
}
