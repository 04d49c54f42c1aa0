import { type HOLD_CODES, type QueueItem, type QueueKind, readFilterHold } from '#src/contract/queue.ts'
import type { ItemKind, ReportedItem, ReportReason } from '#src/contract/reports.ts'
import { t } from '#src/i18n/t.ts'
import { reasonTexts } from './reasonTexts.ts'

const SUMMARY_LENGTH = 120

export const kindLabels: Record<QueueKind, () => string> = {
  report: () => t('moderation.report'),
  held: () => t('moderation.heldPost'),
  appeal: () => t('field.appeal'),
}

const itemLabels: Record<ItemKind, () => string> = {
  post: () => t('board.post'),
  paste: () => t('paste.paste'),
  image: () => t('image.sharedImage'),
  program: () => t('board.program'),
}

const holdTexts: Record<(typeof HOLD_CODES)[number], () => string> = {
  switch: () => t('moderation.heldBySwitch'),
  unsolved: () => t('moderation.heldUnsolved'),
  repeated: () => t('moderation.heldByRepetition'),
  raid: () => t('moderation.heldByRaid'),
  image: () => t('moderation.heldByImage'),
}

const isHoldCode = (heldFor: string): heldFor is keyof typeof holdTexts => Object.hasOwn(holdTexts, heldFor)

/** Says why the site holds a post. */
export function describeHold(heldFor: string): string {
  const filter = readFilterHold(heldFor)
  if (filter) return t('moderation.heldByFilter', filter)
  return isHoldCode(heldFor) ? holdTexts[heldFor]() : heldFor
}

/** Returns why an item waits, and how often each reason was given; empty for an appeal, which says it itself. */
export function whyOf(item: QueueItem): string {
  if (item.kind === 'held') return describeHold(item.post.heldFor)
  if (item.kind === 'appeal') return ''
  const given = item.report.reports.map(({ reason }) => reason)
  const describe = (reason: ReportReason) => {
    const times = given.filter((one) => one === reason).length
    return times > 1 ? `${reasonTexts[reason]()} × ${times}` : reasonTexts[reason]()
  }
  return [...new Set(given)].map(describe).join(', ')
}

export const placeOf = (boardId: string | null) => (boardId === null ? t('moderation.wholeSite') : `/${boardId}/`)

/** Returns the board of an item, null for the whole site. */
export function boardOf(item: QueueItem): string | null {
  if (item.kind === 'report') return item.report.boardId
  return item.kind === 'held' ? item.post.boardId : item.ban.boardId
}

export function titleOf(item: QueueItem): string {
  if (item.kind === 'report') return reportTitle(item.report)
  if (item.kind === 'appeal') return t('moderation.banOf', { label: item.ban.label })
  const { id, threadId, threadTitle } = item.post
  return postTitle(id === threadId, threadTitle)
}

/** Returns the start of what somebody wrote, for lists. */
export function summaryOf(item: QueueItem): string {
  if (item.kind === 'appeal') return item.ban.appeal ?? ''
  return (item.kind === 'held' ? item.post.content : reportSummary(item.report)).slice(0, SUMMARY_LENGTH).toWellFormed()
}

function reportSummary(report: ReportedItem): string {
  const { content } = report
  if (content?.kind === 'post') return content.post.content
  if (content?.kind === 'paste' && content.text !== null) return content.text
  return content?.kind === 'image' ? content.share.filename : reportTitle(report)
}

function reportTitle({ kind, content }: ReportedItem): string {
  if (content?.kind === 'post') return postTitle(content.post.id === content.threadId, content.title)
  if (content?.kind === 'program') return t('moderation.programTitle', { name: content.program.name })
  return itemLabels[kind]()
}

function postTitle(isThread: boolean, title: string | null): string {
  if (title === null) return t('moderation.postGone')
  return isThread ? t('moderation.threadTitle', { title }) : t('moderation.postIn', { title })
}
