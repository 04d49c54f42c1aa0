import type { QueueItem, QueueKind } from '#src/contract/queue.ts'
import type { ReportedItem } from '#src/contract/reports.ts'

const SUMMARY_LENGTH = 120

export const kindLabels: Record<QueueKind, string> = { report: 'Report', held: 'Held post', appeal: 'Appeal' }

export const placeOf = (boardId: string | null) => (boardId === null ? 'the whole site' : `/${boardId}/`)

/** Returns the board of an item, null for the whole site. */
export function boardOf(item: QueueItem): string | null {
  if (item.kind === 'report') return item.report.boardId
  return item.kind === 'held' ? item.post.boardId : item.ban.boardId
}

export function titleOf(item: QueueItem): string {
  if (item.kind === 'report') return reportTitle(item.report)
  if (item.kind === 'appeal') return `Ban of ${item.ban.label}`
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
  if (content?.kind === 'program') return `Program “${content.program.name}”`
  return { post: 'Post', paste: 'Paste', image: 'Shared image', program: 'Program' }[kind]
}

function postTitle(isThread: boolean, title: string | null): string {
  if (title === null) return 'Post in a deleted thread'
  return isThread ? `Thread “${title}”` : `Post in “${title}”`
}
