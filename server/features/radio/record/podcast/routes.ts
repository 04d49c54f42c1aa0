import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendCachedText } from '#server/core/cache/cachedText.ts'
import type { Services } from '#server/core/context.ts'
import { READABLE } from '#server/core/security/headers.ts'
import { readRecording } from '#server/features/radio/record/service.ts'
import { chaptersPath, PODCAST_PATH, PODCAST_TYPE, streamerPodcastPath } from '#src/contract/archive.ts'
import type { Site } from '#src/contract/site.ts'
import { writePodcast } from './podcast.ts'

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
      text: await services.largeReads(request.ip, () => writePodcast(deps, streamerId)),
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
