import { article, imageShare, post } from '#db/schema/index.ts'
import { sweepSpentChallenges } from './core/auth/captcha.ts'
import { sweepEvents } from './core/events/writeAndPublish.ts'
import { deleteOrphanedFiles } from './core/jobs/fileCleanup.ts'
import type { Job } from './core/jobs/jobRunner.ts'
import { tidyDatabase } from './core/jobs/vacuum.ts'
import { sweepAllowances } from './core/limits/tokenBuckets.ts'
import { sweepImageShares } from './features/image/job.ts'
import { deleteOldArticles, fetchArticleImages, refreshFeeds } from './features/news/jobs.ts'
import { sweepPastes } from './features/paste/service.ts'

const HOUR = 3600

/** Columns that refer to stored files. */
export const imageIdColumns = [post.imageId, imageShare.imageId, article.imageId]

export const jobs: Job[] = [
  { name: 'events', every: HOUR, run: ({ db, now }) => sweepEvents(db, now()) },
  { name: 'captchas', every: HOUR, run: ({ db, now }) => sweepSpentChallenges(db, now()) },
  { name: 'allowances', every: HOUR, run: ({ db, now }) => sweepAllowances(db, now()) },
  { name: 'sessions', every: 6 * HOUR, run: ({ sessions }) => sessions.sweep() },
  { name: 'files', every: HOUR, run: (services) => deleteOrphanedFiles(services, imageIdColumns) },
  { name: 'image-shares', every: 300, run: sweepImageShares },
  { name: 'pastes', every: 300, run: sweepPastes },
  // Often, for each feed has a time of its own; a first page of news should not wait.
  { name: 'news', every: 60, first: 2, run: refreshFeeds },
  { name: 'news-images', every: 20, first: 8, run: fetchArticleImages },
  { name: 'news-sweep', every: 6 * HOUR, run: deleteOldArticles },
  { name: 'tidy', every: 6 * HOUR, run: tidyDatabase },
]
