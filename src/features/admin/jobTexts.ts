import type { JobName } from '#src/contract/operations.ts'
import { t } from '#src/i18n/t.ts'

/** Describes the jobs for admins. */
export const jobTexts: Record<JobName, () => string> = {
  events: () => t('admin.jobEvents'),
  captchas: () => t('admin.jobCaptchas'),
  allowances: () => t('admin.jobAllowances'),
  origins: () => t('admin.jobOrigins'),
  sessions: () => t('admin.jobSessions'),
  files: () => t('admin.jobFiles'),
  'thread-archive': () => t('admin.jobThreadArchive'),
  'held-posts': () => t('admin.jobHeldPosts'),
  withheld: () => t('admin.jobWithheld'),
  outbox: () => t('admin.jobOutbox'),
  'image-shares': () => t('admin.jobImageShares'),
  pastes: () => t('admin.jobPastes'),
  news: () => t('admin.jobNews'),
  'news-images': () => t('admin.jobNewsImages'),
  'news-sweep': () => t('admin.jobNewsSweep'),
  'song-requests': () => t('admin.jobSongRequests'),
  'old-requests': () => t('admin.jobOldRequests'),
  recordings: () => t('admin.jobRecordings'),
  switches: () => t('admin.jobSwitches'),
  'show-announcements': () => t('admin.jobShowAnnouncements'),
  'service-broadcasts': () => t('admin.jobServiceBroadcasts'),
  'listener-counts': () => t('admin.jobListenerCounts'),
  backup: () => t('admin.jobBackup'),
  tidy: () => t('admin.jobTidy'),
}
