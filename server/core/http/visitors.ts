import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Config } from '#server/core/config/config.ts'
import { visitorNetwork } from '#server/core/limits/networks.ts'
import { isPublicAddress } from '#server/core/security/publicAddress.ts'

export type Requester = {
  ip: string
  headers: Pick<IncomingHttpHeaders, 'authorization' | 'user-agent'>
  /** for the memory limits of the response; undefined for calls that do not come over HTTP */
  raw?: IncomingMessage
}

/** Matches link previews and crawlers. Does not match CUBOT phones and the browsers inside apps. */
const BOT_AGENTS =
  /(?<!cu)bot(?![a-z])|crawl|spider|slurp|scrap(?:er|y|\b)|preview|unfurl|fetcher|archiver|facebookexternalhit|^whatsapp|iframely|vkshare|mastodon\/|pleroma|misskey|akkoma|lemmy|friendica|mattermost|google-(?:safety|read-aloud|inspectiontool)|mediapartners-google/i

/** Returns whether a URL is for a page's data, which Vike loads for client-side navigation. */
export const isPageData = (url: string): boolean => url.split('?')[0]?.endsWith('.pageContext.json') ?? false

/** Returns whether a request counts as a view. Excludes prefetches, link previews, crawlers and page data. */
export function isHumanView(headers: IncomingHttpHeaders, method: string, path = ''): boolean {
  if (method !== 'GET' || isPageData(path)) return false
  const purpose = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].join(' ')
  return !/prefetch|preview|prerender/i.test(purpose) && !BOT_AGENTS.test(headers['user-agent'] ?? '')
}

/** Identifies a visitor for a day by network and browser. The hash is sent to the other processes, but never stored. */
export function hashVisitor({ ip, headers }: Requester, key: Uint8Array, now: Date): string {
  const day = now.toISOString().slice(0, 10)
  const who = `${day}\n${visitorNetwork(ip)}\n${headers['user-agent'] ?? ''}`
  return createHmac('sha256', key).update(who).digest('base64url').slice(0, 16)
}

type Request = { headers: IncomingMessage['headers']; socket: Pick<IncomingMessage['socket'], 'remoteAddress'> }

/** Behind an untrusted proxy, all visitors share its address, so network limits would treat them as one visitor. */
export const isFromUnknownProxy = ({ trustProxy }: Pick<Config, 'trustProxy'>, { headers, socket }: Request): boolean =>
  trustProxy.length === 0 && headers['x-forwarded-for'] !== undefined && !isPublicAddress(socket.remoteAddress ?? '')
