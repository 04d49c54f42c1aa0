import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Config } from './core/config/config.ts'
import { loggedError } from './core/errors.ts'
import type { Headers } from './core/security/headers.ts'
import { sendApiError } from './plugins/api/rest.ts'
import type { ConnectionLimits } from './plugins/protection/connectionLimits.ts'
import { decodableUrl, rejectMalformedRequest } from './plugins/protection/malformedRequests.ts'

const MAX_JSON_BODY_BYTES = 1024 * 1024
const MAX_HEADER_BYTES = 16 * 1024

export type LogStream = { write: (line: string) => void }

/**
 * Creates the Fastify instance without routes.
 * @param headers returns the headers for every response; called only when a request arrives
 */
export function createHttpServer(
  { trustProxy, logLevel }: Pick<Config, 'trustProxy' | 'logLevel'>,
  connectionLimits: ConnectionLimits,
  headers: () => Headers,
  logTo?: LogStream,
): FastifyInstance {
  return Fastify({
    bodyLimit: MAX_JSON_BODY_BYTES,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    requestTimeout: connectionLimits.requestMs,
    connectionTimeout: connectionLimits.idleMs,
    keepAliveTimeout: connectionLimits.keepAliveMs,
    http: {
      headersTimeout: connectionLimits.headMs,
      connectionsCheckingInterval: connectionLimits.checkMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      // `registerSecurityHeaders` rejects requests without Host, because Node's rejection has no security headers.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    // Still answer requests that arrive during shutdown.
    return503OnClosing: false,
    // Allow parameters as long as a URL, so that an id that is too long gets the same 404 as an unknown id.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEADER_BYTES },
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    clientErrorHandler: (error, socket) => rejectMalformedRequest(error, socket, headers()),
    genReqId: () => randomUUID(),
    logger: {
      level: logLevel,
      ...(logTo && { stream: logTo }),
      serializers: {
        // Log only the route: a full URL can grant access.
        req: (req) => ({ method: req.method, route: req.routeOptions?.url }),
        err: loggedError,
        // Log only the limits: at level trace, the multipart parser would log all request headers.
        busboyOptions: ({ limits }: { limits?: object }) => ({ limits }),
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => sendApiError(error, request, reply.headers(headers())),
  })
}
