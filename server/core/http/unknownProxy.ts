import type { IncomingMessage } from 'node:http'
import type { Config } from '#server/core/config/config.ts'
import { isPublicAddress } from '#server/core/security/publicAddress.ts'

type Request = { headers: IncomingMessage['headers']; socket: Pick<IncomingMessage['socket'], 'remoteAddress'> }

/**
 * Whether a request came through a proxy in the own network that TRUST_PROXY does not name. All visitors have its
 * address then, so what counts by network would count the whole site as one visitor.
 */
export const isFromUnknownProxy = ({ trustProxy }: Pick<Config, 'trustProxy'>, { headers, socket }: Request): boolean =>
  trustProxy.length === 0 && headers['x-forwarded-for'] !== undefined && !isPublicAddress(socket.remoteAddress ?? '')
