import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { extensionOf } from '#server/features/radio/record/store.ts'
import { iconsQuery } from '#server/features/site/images/siteImages.ts'
import {
  type Broadcast,
  broadcastPath,
  chaptersPath,
  durationSeconds,
  enclosurePath,
  hasEnded,
  PODCAST_IMAGE,
  PODCAST_PATH,
  type Streamer,
  streamerPodcastPath,
} from '#src/contract/archive.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { Site } from '#src/contract/site.ts'
import { t } from '#src/i18n/t.ts'

type Deps = Pick<Services, 'radio' | 'config' | 'siteImages'> & { site: Pick<Site, 'name' | 'tagline'> }
type Show = { streamer: Streamer; broadcast: Broadcast }

/** URLs are absolute. Texts are still unescaped. */
export type Podcast = Awaited<ReturnType<typeof createPodcast>>
export type Episode = Podcast['episodes'][number]

/** Limits the size of a feed. */
const MAX_EPISODES = 100
const ARCHIVE_PATH = '/archive'
/** Where minutes and seconds end in an ISO time. */
const TIME_ENDS = [16, 19]

/**
 * Creates the podcast of the first station, which the archive shows, or of one of its streamers.
 * @throws AppError 404 or 503
 */
export async function createPodcast({ radio, config, site, siteImages }: Deps, streamerId: number | null) {
  const stationId = await findStation(radio)
  const { icons } = await siteImages()
  const describe = (feed: string, page: string, shows: Show[]) => ({
    url: config.siteUrl + feed,
    page: config.siteUrl + page,
    image: `${config.siteUrl}/${PODCAST_IMAGE}${iconsQuery(icons)}`,
    episodes: toEpisodes(config.siteUrl, stationId, shows),
  })
  if (streamerId === null) {
    return {
      ...describe(PODCAST_PATH, ARCHIVE_PATH, await radio.latestBroadcasts(stationId)),
      title: t('feed.shows', { site: site.name }),
      description: t('feed.showsAbout', { site: site.name, tagline: site.tagline }),
      author: site.name,
    }
  }
  const [list, { broadcasts, available }] = await Promise.all([
    radio.streamers(stationId),
    radio.broadcasts(stationId, streamerId),
  ])
  if (!list.available || !available) throw errors.unavailable(refusal('radio.unavailable'))
  const streamer = list.streamers.find(({ id }) => id === streamerId)
  if (!streamer) throw errors.notFound(refusal('archive.notFound'))
  const shows = broadcasts.map((broadcast) => ({ streamer, broadcast }))
  const name = nameOf(streamer)
  return {
    ...describe(streamerPodcastPath(streamerId), `${ARCHIVE_PATH}?streamer=${streamerId}`, shows),
    title: t('feed.streamer', { name, site: site.name }),
    description: streamer.comments ?? t('feed.streamerAbout', { name, site: site.name }),
    author: name,
  }
}

async function findStation(radio: Services['radio']): Promise<number> {
  const { stations, available } = await radio.stations()
  if (!available) throw errors.unavailable(refusal('radio.unavailable'))
  const [station] = stations
  if (!station) throw errors.notFound(refusal('radio.stationNotFound'))
  return station.id
}

const nameOf = ({ display_name, streamer_username }: Streamer) => display_name || streamer_username

function toEpisodes(siteUrl: string, stationId: number, shows: Show[]) {
  const titles = chooseTitles(shows)
  const episodes = shows.flatMap((show, index) => toEpisode(siteUrl, stationId, show, titles[index] ?? '') ?? [])
  return episodes.sort((a, b) => b.published.getTime() - a.published.getTime()).slice(0, MAX_EPISODES)
}

/** Apps list episodes by their titles: broadcasts without a title of their own get their time, to the second if needed. */
function chooseTitles(shows: Show[]): string[] {
  const forms = shows.map(({ streamer, broadcast: { title, timestampStart } }) => {
    const withTime = (end: number) =>
      `${title ?? nameOf(streamer)}, ${formatDate(timestampStart)} ${timestampStart.slice(11, end)} UTC`
    return [title ?? '', ...TIME_ENDS.map(withTime)]
  })
  const counts = new Map<string, number>()
  for (const form of forms.flat()) counts.set(form, (counts.get(form) ?? 0) + 1)
  return forms.map((all) => all.find((form) => form !== '' && counts.get(form) === 1) ?? all.at(-1) ?? '')
}

function formatDate(timestamp: string): string {
  const [year = '', month = '', day = ''] = timestamp.slice(0, 10).split('-')
  return t('time.date', { year, month, day })
}

function toEpisode(siteUrl: string, stationId: number, { streamer, broadcast }: Show, title: string) {
  if (!hasEnded(broadcast) || !broadcast.recording) return null
  const { id, timestampStart, timestampEnd, recording, tracks = 0 } = broadcast
  const { size, type = 'audio/mpeg' } = recording
  const name = nameOf(streamer)
  return {
    /** unique and permanent */
    id: `${siteUrl}/archive/${stationId}/${streamer.id}/${id}`,
    page: siteUrl + broadcastPath(streamer.id, id),
    title,
    description: t('feed.episode', { name, date: formatDate(timestampStart) }),
    author: name,
    published: new Date(timestampEnd),
    enclosure: {
      url: siteUrl + enclosurePath({ stationId, streamerId: streamer.id, broadcastId: id }, extensionOf(type)),
      bytes: size,
      type,
    },
    /** 0 if unknown */
    seconds: durationSeconds(broadcast),
    chapters: tracks > 0 ? siteUrl + chaptersPath(id) : null,
  }
}
