import type { PageContext } from 'vike/types'
import type { Podcast } from '#pages/head.ts'
import { PODCAST_PATH, streamerPodcastPath } from '#src/contract/recording.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

/** The podcast of the streamer whose panel the URL opens, or of all streamers. */
export default ({ data }: PageContext): Podcast => {
  const { streamers, opened } = data as Exclude<Data, { error: string }>
  const streamer = streamers.find(({ id }) => id === opened?.streamerId)
  return streamer
    ? { path: streamerPodcastPath(streamer.id), title: t('archive.podcastOf', { name: streamer.display_name }) }
    : { path: PODCAST_PATH, title: t('archive.podcastTitle') }
}
