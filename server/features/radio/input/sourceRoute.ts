import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { errors, publicError } from '#server/core/errors.ts'
import { visitorNetwork } from '#server/core/limits/networks.ts'
import { hashToken, verifyToken } from '#server/core/security/capability.ts'
import { PROCESS_HEADER } from '#server/features/radio/mix/processes/forwardSource.ts'
import type { SourceRequest } from '#server/features/radio/mix/sources.ts'
import { STATION_ID } from '#server/features/radio/types.ts'
import { TEST_MOUNT } from '#src/contract/liveSources.ts'
import { refusal } from '#src/contract/refusal.ts'
import { findStreamer, logIn, readPassword } from './login.ts'
import { acceptSources, type TakeSource } from './oddHeads.ts'
import { CONTINUE, close, packetsOf, probe, readBody, refuse, waitsForContinue } from './sourceSocket.ts'
import { parseLine } from './titles.ts'

type RouteServices = Pick<Services, 'live' | 'liveHost' | 'db' | 'config' | 'secrets' | 'now' | 'costs'>

const STATION_MOUNT = /^\/radio\/(\d{1,9})\/(source|test)$/
/** Not the roots of calls. */
const MOUNT = /^\/(?!(?:api|trpc)$)[\w.~%+-]{1,100}$/
const MAX_CLIENT_LENGTH = 100

/** Accepts sources that speak Icecast's protocol: SOURCE, or PUT to a mount. */
export function registerLiveSources(app: FastifyInstance, services: RouteServices): void {
  const { live, liveHost, config } = services
  const processToken = hashToken(liveHost.authorization, 'utf8')
  const getAddress = proxyAddress.compile(config.trustProxy)
  const sockets = new Set<Socket>()
  let isClosing = false

  const take: TakeSource = (request, socket, early) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Without this handler, an error event would crash the process. The connection's reader notices the end.
    socket.on('error', () => {})
    socket.setNoDelay(true)
    serve(request, socket, early).catch((error) => app.log.error({ err: error }, 'live source failed'))
  }
  const closeConnections = acceptSources(app.server, isSource, take)
  app.addHook('preClose', async () => {
    isClosing = true
    closeConnections()
    await live.close()
    for (const socket of sockets) socket.destroy()
  })

  async function serve(request: IncomingMessage, socket: Socket, early: Buffer): Promise<void> {
    if (isQuestion(request)) return close(socket, METHODS)
    const abort = new AbortController()
    let run: ReturnType<typeof live.accept>
    try {
      const source = await logInSource(request)
      if (await isPassedOn(request, socket, early)) return
      if (isClosing) throw errors.unavailable(refusal('radio.unavailable'))
      run = live.accept(source, abort)
      app.log.info({ method: request.method, userId: source.streamer.userId }, 'live source connected')
    } catch (error) {
      const { status, isServerFault } = publicError(error)
      app.log.info({ method: request.method, status }, 'live source refused')
      if (isServerFault) app.log.error({ err: error }, 'live source refused')
      return refuse(request, socket, error)
    }
    const waits = waitsForContinue(request)
    socket.write(waits ? CONTINUE : 'HTTP/1.0 200 OK\r\n\r\n')
    const stopProbing = probe(socket, waits ? CONTINUE : '\n', abort)
    abort.signal.addEventListener('abort', () => {
      if (abort.signal.reason instanceof Error && abort.signal.reason.name !== 'AbortError') socket.destroy()
    })
    const failure = await run(readSound(request, socket, early)).then(
      () => null,
      (error: Error) => error,
    )
    stopProbing()
    app.log.info({ reason: failure?.message ?? 'ended' }, 'live source disconnected')
    close(socket, waits && !failure ? 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' : '')
  }

  /** @throws Error if the account changed after the password was checked, when nothing could disconnect the source */
  async function* readSound({ headers }: IncomingMessage, socket: Socket, early: Buffer): AsyncGenerator<Buffer> {
    const password = readPassword(headers.authorization) ?? ''
    const isAllowed = await findStreamer(services, password).catch(() => true)
    if (!isAllowed) throw new Error('the account was disabled')
    yield* readBody(headers, packetsOf(socket, early))
  }

  /**
   * Passes a source on to the process that has the sources.
   * @returns false if it is this process
   * @throws AppError 503 if that process accepts no connection; programs connect again
   */
  async function isPassedOn(request: IncomingMessage, socket: Socket, early: Buffer): Promise<boolean> {
    const sender = request.headers[PROCESS_HEADER]
    // Not again, or two processes could pass a source to each other.
    const isFromProcess = typeof sender === 'string' && verifyToken(sender, processToken, 'utf8')
    const host = await liveHost.find()
    if (!host) return false
    if (!isFromProcess && (await liveHost.forward(request, socket, early, host))) return true
    app.log.warn({ url: host.url }, 'Cannot reach the process with the live sources. If it runs, set its INTERNAL_URL')
    if (!isFromProcess && (await liveHost.replace(host)) && (await liveHost.find()) === null) return false
    throw errors.unavailable(refusal('radio.unavailable'))
  }

  /** @throws AppError */
  async function logInSource(request: IncomingMessage): Promise<SourceRequest> {
    if (config.radio.service) throw errors.forbidden(refusal('streamer.sourceService'))
    const { headers, socket } = request
    const ip = getAddressOf(request, socket)
    const client = parseLine(headers['user-agent'] ?? '', MAX_CLIENT_LENGTH)
    const streamer = await logIn(services, { ip, headers, socket }, () => {
      liveHost
        .call('addRefused', visitorNetwork(ip), client, 'password')
        .catch((error) => app.log.warn({ err: error }, 'cannot note a refused source'))
    })
    const path = pathOf(request)
    const [, stationId = STATION_ID, kind] = STATION_MOUNT.exec(path) ?? []
    if (Number(stationId) !== STATION_ID || (kind === undefined && !MOUNT.test(path))) {
      throw errors.notFound(refusal('radio.stationNotFound'))
    }
    return {
      streamer,
      mount: path,
      isTest: kind === 'test' || path === TEST_MOUNT,
      client,
      contentType: headers['content-type'] ?? '',
    }
  }

  function getAddressOf(request: IncomingMessage, socket: Socket): string {
    return config.trustProxy.length > 0 ? proxyAddress(request, getAddress) : (socket.remoteAddress ?? '')
  }
}

const pathOf = ({ url = '' }: IncomingMessage) => url.replace(/^https?:\/\/[^/]*/i, '').split('?')[0] ?? ''

/** libshout asks for the methods of the server first, and gives up after a 404. */
const isQuestion = ({ method, url }: IncomingMessage) => method === 'OPTIONS' && url === '*'
const METHODS =
  'HTTP/1.1 204 No Content\r\nAllow: GET, HEAD, POST, PUT, DELETE, OPTIONS, SOURCE\r\nConnection: close\r\n\r\n'

/** PUT to other paths is a call. */
function isSource(request: IncomingMessage): boolean {
  const { method } = request
  if (method === 'SOURCE' || isQuestion(request)) return true
  const path = pathOf(request)
  return method === 'PUT' && (STATION_MOUNT.test(path) || MOUNT.test(path))
}
