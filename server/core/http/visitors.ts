import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { visitorNetwork } from '#server/core/limits/networks.ts'

/** What of a request says who asks. */
export type Requester = {
  ip: string
  headers: Pick<IncomingHttpHeaders, 'authorization' | 'user-agent'>
  /** where it came over HTTP: what its answer takes is counted by it */
  raw?: IncomingMessage
}

/**
 * Programs that look at a link so that a chat can show what is behind it, or for an index. Most call themselves a bot
 * (CUBOT is a phone); an app's own browser, which names the app too, is a person's.
 */
const AGENTS =
  /(?<!cu)bot(?![a-z])|crawl|spider|slurp|scrap(?:er|y|\b)|preview|unfurl|fetcher|archiver|facebookexternalhit|^whatsapp|iframely|vkshare|mastodon\/|pleroma|misskey|akkoma|lemmy|friendica|mattermost|google-(?:safety|read-aloud|inspectiontool)|mediapartners-google/i

/**
 * Whether a request is a person's look at something, which counts as a view: a GET, but not of a browser that fetches
 * ahead, not of a program that makes link previews or an index, and not for the data of a page alone.
 */
export function isHumanView(headers: IncomingHttpHeaders, method: string, path = ''): boolean {
  if (method !== 'GET' || path.split('?')[0]?.endsWith('.pageContext.json')) return false
  const purpose = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].join(' ')
  return !/prefetch|preview|prerender/i.test(purpose) && !AGENTS.test(headers['user-agent'] ?? '')
}

/**
 * What tells a visitor from others for a day: a keyed hash of network and browser, kept in memory and in notifications
 * between processes only.
 */
export function hashVisitor({ ip, headers }: Requester, key: Uint8Array, now: Date): string {
  const day = now.toISOString().slice(0, 10)
  const who = `${day}\n${visitorNetwork(ip)}\n${headers['user-agent'] ?? ''}`
  return createHmac('sha256', key).update(who).digest('base64url').slice(0, 16)
}
