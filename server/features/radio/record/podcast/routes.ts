import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { escapeXml } from '#server/core/http/escapeXml.ts'
import { READABLE } from '#server/core/security/headers.ts'
import { readRecording } from '#server/features/radio/record/service.ts'
import { chaptersPath, PODCAST_PATH, PODCAST_TYPE, streamerPodcastPath } from '#src/contract/archive.ts'
import type { Site } from '#src/contract/site.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { createPodcast, type Episode, type Podcast } from './podcast.ts'

type Params = { id: string }

const CHAPTERS_TYPE = 'application/json+chapters; charset=utf-8'
/** Replaces the id in the paths of the contract. */
const pathOf = (path: (id: number) => string, pattern: string) => path(0).replace('/0/', `/:id(${pattern})/`)

/** Serves the archive as podcasts: of all streamers, and of each. Podcast apps are pages, too. */
export function registerPodcasts(app: FastifyInstance, services: Services, site: Site): void {
  const deps = { ...services, site }
  app.get(PODCAST_PATH, (request, reply) => send(request, reply, null))
  app.get<{ Params: Params }>(pathOf(streamerPodcastPath, '^[1-9]\\d{0,14}$'), (request, reply) =>
    send(request, reply, Number(request.params.id)),
  )
  app.get<{ Params: Params }>(pathOf(chaptersPath, '^[1-9]\\d{0,9}$'), (request, reply) =>
    sendCachedText(services, request, reply, async () => ({
      text: await writeChapters(Number(request.params.id)),
      headers: { 'content-type': CHAPTERS_TYPE },
      sharedHeaders: READABLE,
    })),
  )

  const send = (request: FastifyRequest, reply: FastifyReply, streamerId: number | null) =>
    sendCachedText(services, request, reply, async () => ({
      text: writePodcast(await services.largeReads(request.ip, () => createPodcast(deps, streamerId))),
      headers: { 'content-type': `${PODCAST_TYPE}; charset=utf-8` },
      sharedHeaders: READABLE,
    }))

  /** https://github.com/Podcastindex-org/podcast-namespace/blob/main/chapters/jsonChapters.md */
  async function writeChapters(id: number): Promise<string> {
    // Reads as a guest, because the answer is cached for all visitors.
    const { title, tracks } = await readRecording({ db: services.db, currentUser: async () => null }, id)
    return JSON.stringify({
      version: '1.2.0',
      ...(title !== null && { title }),
      chapters: tracks.map(({ seconds, artist, title }) => ({
        startTime: seconds,
        title: [artist, title].filter(Boolean).join(' – '),
      })),
    })
  }
}

/** Writes RSS 2.0 with the elements of Apple Podcasts and of the podcast namespace. */
function writePodcast({ url, page, title, description, author, image, episodes }: Podcast): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    element('title', title),
    element('link', page),
    element('description', description),
    element('language', currentLanguage()),
    empty('atom:link', { rel: 'self', type: 'application/rss+xml', href: url }),
    `<image>${element('url', image)}${element('title', title)}${element('link', page)}</image>`,
    element('itunes:author', author),
    element('itunes:type', 'episodic'),
    element('itunes:explicit', 'false'),
    empty('itunes:category', { text: 'Music' }),
    empty('itunes:image', { href: image }),
    element('podcast:medium', 'podcast'),
    ...episodes.map(writeEpisode),
    '</channel>',
    '</rss>\n',
  ].join('\n')
}

function writeEpisode({ id, page, title, description, author, published, enclosure, ...rest }: Episode): string {
  return [
    '<item>',
    element('title', title),
    element('link', page),
    element('description', description),
    `<guid isPermaLink="false">${escapeXml(id)}</guid>`,
    element('pubDate', published.toUTCString()),
    empty('enclosure', { url: enclosure.url, length: String(enclosure.bytes), type: enclosure.type }),
    element('itunes:author', author),
    ...(rest.seconds > 0 ? [element('itunes:duration', String(Math.round(rest.seconds)))] : []),
    element('itunes:explicit', 'false'),
    ...(rest.chapters === null
      ? []
      : [empty('podcast:chapters', { url: rest.chapters, type: 'application/json+chapters' })]),
    '</item>',
  ].join('\n')
}

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`
const empty = (name: string, attributes: Record<string, string>) =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${escapeXml(value)}"`)
    .join(' ')}/>`
