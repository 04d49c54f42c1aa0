import type { IncomingMessage } from 'node:http'
import type { Config } from '#server/core/config/config.ts'
import { isPublicAddress } from '#server/core/security/publicAddress.ts'

type Request = { headers: IncomingMessage['headers']; socket: Pick<IncomingMessage['socket'], 'remoteAddress'> }

/** Behind an untrusted proxy, all visitors share its address, so network limits would treat them as one visitor. */
export const isFromUnknownProxy = ({ trustProxy }: Pick<Config, 'trustProxy'>, { headers, socket }: Request): boolean =>
  trustProxy.length === 0 && headers['x-forwarded-for'] !== undefined && !isPublicAddress(socket.remoteAddress ?? '')
