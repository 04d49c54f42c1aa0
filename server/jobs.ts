import { article, imageShare, post } from '#db/schema/index.ts'
import { deleteExpiredChallenges } from './core/auth/captcha.ts'
import { deleteOldEvents } from './core/events/writeAndPublish.ts'
import { deleteOrphanedFiles } from './core/jobs/fileCleanup.ts'
import type { Job } from './core/jobs/jobRunner.ts'
import { vacuumDatabase } from './core/jobs/vacuum.ts'
import { deleteExpiredAllowances } from './core/limits/tokenBuckets.ts'
import { deleteExpiredImageShares } from './features/image/job.ts'
import { deleteOldArticles, fetchArticleImages, refreshFeeds } from './features/news/jobs.ts'
import { deleteExpiredPastes } from './features/paste/service.ts'

const HOUR = 3600

/** Columns that refer to stored files. */
export const imageIdColumns = [post.imageId, imageShare.imageId, article.imageId]

export const jobs: Job[] = [
  { name: 'events', every: HOUR, run: ({ db, now }) => deleteOldEvents(db, now()) },
  { name: 'captchas', every: HOUR, run: ({ db, now }) => deleteExpiredChallenges(db, now()) },
  { name: 'allowances', every: HOUR, run: ({ db, now }) => deleteExpiredAllowances(db, now()) },
  { name: 'sessions', every: 6 * HOUR, run: ({ sessions }) => sessions.deleteExpired() },
  { name: 'files', every: HOUR, run: (services) => deleteOrphanedFiles(services, imageIdColumns) },
  { name: 'image-shares', every: 300, run: deleteExpiredImageShares },
  { name: 'pastes', every: 300, run: deleteExpiredPastes },
  // Often, for each feed has a time of its own; a first page of news should not wait.
  { name: 'news', every: 60, first: 2, run: refreshFeeds },
  { name: 'news-images', every: 20, first: 8, run: fetchArticleImages },
  { name: 'news-sweep', every: 6 * HOUR, run: deleteOldArticles },
  { name: 'tidy', every: 6 * HOUR, run: vacuumDatabase },
]
