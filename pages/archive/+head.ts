import type { Head } from '#pages/head.ts'
import { PODCAST_PATH, streamerPodcastPath } from '#src/contract/archive.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('site.archive'),
  description: () => t('archive.description'),
  failure: () => t('archive.loadFailed'),
  /** The podcast of the streamer whose panel the URL opens, or of all streamers. */
  podcast: ({ data: { streamers, opened } }) => {
    const streamer = streamers.find(({ id }) => id === opened?.streamerId)
    return streamer
      ? { path: streamerPodcastPath(streamer.id), title: t('archive.podcastOf', { name: streamer.display_name }) }
      : { path: PODCAST_PATH, title: t('archive.podcastTitle') }
  },
} satisfies Head<Data>
