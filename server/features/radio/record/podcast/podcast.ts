import type { Services } from '#server/core/context.ts'
import { errors } from '#server/core/errors.ts'
import { element, emptyElement, escapeXml } from '#server/core/http/escapeXml.ts'
import { extensionOf } from '#server/features/radio/record/store.ts'
import { iconsQuery } from '#server/features/site/images/siteImages.ts'
import {
  type Broadcast,
  broadcastPath,
  chaptersPath,
  durationSeconds,
  type EndedBroadcast,
  enclosurePath,
  hasEnded,
  PODCAST_IMAGE,
  PODCAST_PATH,
  PODCAST_TYPE,
  type Streamer,
  streamerPodcastPath,
} from '#src/contract/archive.ts'
import { refusal } from '#src/contract/refusal.ts'
import type { Site } from '#src/contract/site.ts'
import { currentLanguage } from '#src/i18n/currentLanguage.ts'
import { t } from '#src/i18n/t.ts'

type Deps = Pick<Services, 'radio' | 'config' | 'siteImages'> & { site: Pick<Site, 'name' | 'tagline'> }
type Show = { streamer: Streamer; broadcast: Broadcast }

/** Limits the size of a feed. */
const MAX_EPISODES = 100
const ARCHIVE_PATH = '/archive'
/** Where minutes and seconds end in an ISO time. */
const TIME_ENDS = [16, 19]

/**
 * Writes the podcast of the first station, which the archive shows, or of one of its streamers: RSS 2.0 with the
 * elements of Apple Podcasts and of the podcast namespace.
 * @throws AppError 404 or 503
 */
export async function writePodcast(deps: Deps, streamerId: number | null): Promise<string> {
  const { config, siteImages } = deps
  const stationId = await findStation(deps.radio)
  const { icons } = await siteImages()
  const feed = streamerId === null ? await describeAll(deps, stationId) : await describeOne(deps, stationId, streamerId)
  const title = element('title', feed.title)
  const link = element('link', config.siteUrl + feed.page)
  const image = `${config.siteUrl}/${PODCAST_IMAGE}${iconsQuery(icons)}`
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    title,
    link,
    element('description', feed.description),
    element('language', currentLanguage()),
    emptyElement('atom:link', { rel: 'self', type: PODCAST_TYPE, href: config.siteUrl + feed.path }),
    `<image>${element('url', image)}${title}${link}</image>`,
    element('itunes:author', feed.author),
    element('itunes:type', 'episodic'),
    element('itunes:explicit', 'false'),
    emptyElement('itunes:category', { text: 'Music' }),
    emptyElement('itunes:image', { href: image }),
    element('podcast:medium', 'podcast'),
    ...writeEpisodes(config.siteUrl, stationId, feed.shows),
    '</channel>',
    '</rss>\n',
  ].join('\n')
}

async function describeAll({ radio, site }: Deps, stationId: number) {
  return {
    ...{ path: PODCAST_PATH, page: ARCHIVE_PATH, shows: await radio.latestBroadcasts(stationId) },
    title: t('feed.shows', { site: site.name }),
    description: t('feed.showsAbout', { site: site.name, tagline: site.tagline }),
    author: site.name,
  }
}

async function describeOne({ radio, site }: Deps, stationId: number, streamerId: number) {
  const [list, { broadcasts, available }] = await Promise.all([
    radio.streamers(stationId),
    radio.broadcasts(stationId, streamerId),
  ])
  if (!list.available || !available) throw errors.unavailable(refusal('radio.unavailable'))
  const streamer = list.streamers.find(({ id }) => id === streamerId)
  if (!streamer) throw errors.notFound(refusal('archive.notFound'))
  const name = nameOf(streamer)
  return {
    ...{ path: streamerPodcastPath(streamerId), page: `${ARCHIVE_PATH}?streamer=${streamerId}` },
    shows: broadcasts.map((broadcast): Show => ({ streamer, broadcast })),
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

function writeEpisodes(siteUrl: string, stationId: number, shows: Show[]): string[] {
  const titles = chooseTitles(shows)
  return shows
    .flatMap(({ streamer, broadcast }, index) =>
      hasEnded(broadcast) && broadcast.recording
        ? { ...broadcast, streamer, recording: broadcast.recording, title: titles[index] ?? '' }
        : [],
    )
    .sort((a, b) => Date.parse(b.timestampEnd) - Date.parse(a.timestampEnd))
    .slice(0, MAX_EPISODES)
    .map((episode) => writeEpisode(siteUrl, stationId, episode))
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

type RecordedShow = EndedBroadcast & {
  streamer: Streamer
  recording: NonNullable<Broadcast['recording']>
  title: string
}

function writeEpisode(siteUrl: string, stationId: number, show: RecordedShow): string {
  const { id, streamer, title, timestampStart, timestampEnd, recording, tracks = 0 } = show
  const { size, type = 'audio/mpeg' } = recording
  const name = nameOf(streamer)
  const file = enclosurePath({ stationId, streamerId: streamer.id, broadcastId: id }, extensionOf(type))
  const seconds = durationSeconds(show)
  return [
    '<item>',
    element('title', title),
    element('link', siteUrl + broadcastPath(streamer.id, id)),
    element('description', t('feed.episode', { name, date: formatDate(timestampStart) })),
    // Unique and permanent.
    `<guid isPermaLink="false">${escapeXml(`${siteUrl}/archive/${stationId}/${streamer.id}/${id}`)}</guid>`,
    element('pubDate', new Date(timestampEnd).toUTCString()),
    emptyElement('enclosure', { url: siteUrl + file, length: String(size), type }),
    element('itunes:author', name),
    ...(seconds > 0 ? [element('itunes:duration', String(Math.round(seconds)))] : []),
    element('itunes:explicit', 'false'),
    ...(tracks > 0
      ? [emptyElement('podcast:chapters', { url: siteUrl + chaptersPath(id), type: 'application/json+chapters' })]
      : []),
    '</item>',
  ].join('\n')
}
