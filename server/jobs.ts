import { sql } from 'drizzle-orm'
import { article, imageShare, post, show } from '#db/schema/index.ts'
import { watcherOutlet } from '#server/features/board/watching/watchAlerts.ts'
import { moderatorOutlet } from '#server/features/moderation/alerts/moderatorAlerts.ts'
import { endOriginEpochs } from '#server/features/moderation/origins/epochs.ts'
import { nextRelease, releaseHeldPosts } from '#server/features/moderation/queue/heldPosts.ts'
import { deleteExpiredChallenges } from './core/auth/captcha.ts'
import { runScheduledBackup } from './core/backup/backup.ts'
import type { Config } from './core/config/config.ts'
import type { Services } from './core/context.ts'
import { deleteOldEvents } from './core/events/writeAndPublish.ts'
import { deleteOrphanedFiles, type ImageReference } from './core/jobs/fileCleanup.ts'
import type { NamedJob } from './core/jobs/jobRunner.ts'
import { vacuumDatabase } from './core/jobs/vacuum.ts'
import { deleteFullBuckets } from './core/limits/tokenBuckets.ts'
import { createOutboxJob } from './core/outbox/outbox.ts'
import { createWebhookOutlet } from './core/outbox/webhooks.ts'
import { eraseOldPosts } from './features/board/states/cleanup.ts'
import { deleteOldWatchers } from './features/board/watching/watchers.ts'
import { findFurtherImages } from './features/board/write/images.ts'
import { archiveThreads, excessThreads } from './features/board/write/threadArchive.ts'
import { deleteExpiredImageShares } from './features/image/service.ts'
import { endSwitches, nextSwitchEnd } from './features/moderation/admission/switches.ts'
import { blockLeftImages } from './features/moderation/rules/blockedImages.ts'
import {
  deleteOldArticles,
  fetchArticleImages,
  nextArticleImage,
  nextFeed,
  refreshFeeds,
} from './features/news/jobs.ts'
import { deleteExpiredPastes } from './features/paste/service.ts'
import { deleteOldRequests, openRequests, playRequests } from './features/radio/library/requests/planning.ts'
import { deleteOldListenerCounts } from './features/radio/output/listenerCounts.ts'
import { cleanUpRecordings } from './features/radio/record/job.ts'
import { announceBroadcasts, nextAnnouncement } from './features/show/announcements/job.ts'

const HOUR = 3600

export const imageReferences: ImageReference[] = [
  post.imageId,
  findFurtherImages,
  imageShare.imageId,
  article.imageId,
  show.imageId,
]

export const cleanUpFiles = (services: Services, minAgeMs?: number): Promise<void> =>
  deleteOrphanedFiles(services, imageReferences, minAgeMs, (names) => blockLeftImages(services, names))

async function forgetBrowsers(services: Services): Promise<void> {
  await services.sessions.deleteExpired()
  await deleteOldWatchers(services)
}

/** Do not rename jobs: the table `job` and the metrics contain the names. */
export const jobs: NamedJob[] = [
  { name: 'events', intervalSeconds: HOUR, run: ({ db, now }) => deleteOldEvents(db, now()) },
  { name: 'captchas', intervalSeconds: HOUR, run: ({ db, now }) => deleteExpiredChallenges(db, now()) },
  { name: 'allowances', intervalSeconds: HOUR, run: ({ db, now }) => deleteFullBuckets(db, now()) },
  { name: 'origins', intervalSeconds: HOUR, run: endOriginEpochs },
  { name: 'sessions', intervalSeconds: 6 * HOUR, run: forgetBrowsers },
  { name: 'files', intervalSeconds: HOUR, run: (services) => cleanUpFiles(services) },
  { name: 'held-posts', intervalSeconds: 5, delaySeconds: 5, dueAt: nextRelease, run: releaseHeldPosts },
  { name: 'thread-archive', intervalSeconds: 60, delaySeconds: 20, dueAt: excessThreads, run: archiveThreads },
  { name: 'withheld', intervalSeconds: HOUR, run: eraseOldPosts },
  createOutboxJob([moderatorOutlet, watcherOutlet, createWebhookOutlet('moderation'), createWebhookOutlet('radio')]),
  { name: 'image-shares', intervalSeconds: 300, run: deleteExpiredImageShares },
  { name: 'pastes', intervalSeconds: 300, run: deleteExpiredPastes },
  // Starts early, so that a new site soon has news.
  { name: 'news', intervalSeconds: 60, delaySeconds: 2, dueAt: nextFeed, run: refreshFeeds },
  { name: 'news-images', intervalSeconds: 20, delaySeconds: 8, dueAt: nextArticleImage, run: fetchArticleImages },
  { name: 'news-sweep', intervalSeconds: 6 * HOUR, run: deleteOldArticles },
  // Runs often while there are requests: each is planned when the one before it has started.
  { name: 'song-requests', intervalSeconds: 5, delaySeconds: 6, dueAt: openRequests, run: playRequests },
  { name: 'old-requests', intervalSeconds: HOUR, run: deleteOldRequests },
  { name: 'recordings', intervalSeconds: 300, run: cleanUpRecordings },
  { name: 'switches', intervalSeconds: 60, dueAt: nextSwitchEnd, run: endSwitches },
  {
    name: 'show-announcements',
    intervalSeconds: 15,
    delaySeconds: 6,
    dueAt: nextAnnouncement,
    run: announceBroadcasts,
  },
  {
    name: 'service-broadcasts',
    intervalSeconds: 60,
    delaySeconds: 4,
    dueAt: (services) =>
      services.serviceBroadcasts.isWatching(services) ? sql`${services.now().toISOString()}` : null,
    run: (services, signal) => services.serviceBroadcasts.watch(services, signal),
  },
  { name: 'listener-counts', intervalSeconds: 6 * HOUR, run: deleteOldListenerCounts },
  { name: 'tidy', intervalSeconds: 6 * HOUR, run: vacuumDatabase },
]

/** Reading and verifying many gigabytes of images takes hours on a slow disk. */
const MAX_BACKUP_SECONDS = 12 * HOUR

/** Returns the jobs of a site, with backups if they are on. */
export function createJobs({ backups }: Pick<Config, 'backups'>): NamedJob[] {
  if (backups.everySeconds === null) return jobs
  const intervalSeconds = backups.everySeconds
  const backup: NamedJob = {
    name: 'backup',
    intervalSeconds,
    retrySeconds: Math.min(intervalSeconds, HOUR),
    maxRunSeconds: MAX_BACKUP_SECONDS,
    run: runScheduledBackup,
  }
  return [...jobs, backup]
}
