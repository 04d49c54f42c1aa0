import { banMessages } from '#src/contract/bans.ts'
import { heldPostMessages } from '#src/contract/heldPosts.ts'
import type { QueueItem } from '#src/contract/queue.ts'
import { type ReportAction, type ReportedItem, reportMessages, reportReasons } from '#src/contract/reports.ts'
import type { Action } from '#src/ui/admin/useActions.tsx'

/** An action with its key. */
export type QueueAction = {
  key: string
  label: string
  variant?: 'primary' | 'danger'
  /** asked before an action that needs a second key or tap */
  question?: { text: string; label: string }
} & ({ run: Action['run']; done: string; failed: string } | { opens: 'poster' })

/** An item whose poster can be banned, and the proposed reason. */
export type BannableItem = { reason: string } & (
  | { kind: 'post'; boardId: string; id: number }
  | { kind: 'paste' | 'image'; itemId: string }
)

/** Actions that decide an item of the queue. */
export function actionsOf(item: QueueItem): QueueAction[] {
  switch (item.kind) {
    case 'report':
      return reportActions(item.report, bannableItem(item) !== null)
    case 'held':
      return heldActions(item.post)
    case 'appeal':
      return [
        answer(item.ban.id, 'lift', { key: 'l', label: 'Lift the ban', done: 'Ban lifted' }),
        answer(item.ban.id, 'keep', { key: 'k', label: 'Keep the ban', done: 'Ban kept' }),
      ]
  }
}

/** Returns what to ban the poster by, or null if the site does not know who posted the item. */
export function bannableItem(item: QueueItem): BannableItem | null {
  if (item.kind === 'held') {
    const { boardId, id, label } = item.post
    return label === null ? null : { kind: 'post', boardId, id, reason: '' }
  }
  if (item.kind === 'appeal' || item.report.label === null || !item.report.content) return null
  const { content, reports, path } = item.report
  const reason = reports[0] ? reportReasons[reports[0].reason] : ''
  if (content.kind === 'post') return { kind: 'post', boardId: content.boardId, id: content.post.id, reason }
  const itemId = path?.split('/').pop()
  return content.kind === 'program' || !itemId ? null : { kind: content.kind, itemId, reason }
}

/** Whether an error says that another moderator was faster. */
export function isDecided({ kind }: QueueItem, code: string | null): boolean {
  if (kind === 'report') return code === 'CONFLICT'
  return code === 'NOT_FOUND' || (kind === 'appeal' && code === 'CONFLICT')
}

function reportActions(report: ReportedItem, canBan: boolean): QueueAction[] {
  const { reportId, kind, content } = report
  const act = (
    action: ReportAction,
    shown: Pick<QueueAction, 'key' | 'label' | 'variant' | 'question'>,
    done: string,
  ) => ({
    ...shown,
    run: (client: Parameters<Action['run']>[0]) => client.moderation.resolve.mutate({ reportId, action }),
    done,
    failed: reportMessages.act,
  })
  // Without its URL, a paste cannot be shown, but it exists.
  const exists = content !== null || kind === 'paste'
  const isRemoved = content?.kind === 'post' && content.isRemoved
  const question = { text: 'It will be erased everywhere and cannot be restored.', label: 'Take down for good' }
  return [
    ...(exists && !isRemoved ? [act('delete', { key: 'd', label: 'Delete' }, 'Deleted')] : []),
    ...(canBan && !isRemoved ? [banAction(content?.kind === 'post' ? 'Delete and ban…' : 'Ban…')] : []),
    ...(exists
      ? [act('take-down', { key: 't', label: 'Take down', variant: 'danger', question }, 'Taken down everywhere')]
      : []),
    act('dismiss', { key: 'x', label: 'Dismiss' }, 'Dismissed'),
  ]
}

const banAction = (label: string): QueueAction => ({ key: 'b', label, opens: 'poster' })

function heldActions({
  id,
  heldFor,
  alike,
  label,
  threadTitle,
}: Extract<QueueItem, { kind: 'held' }>['post']): QueueAction[] {
  const refuseAll: QueueAction = {
    key: 'g',
    label: `Refuse all ${alike} alike`,
    question: { text: `Refuses all ${alike} posts held for “${heldFor}”.`, label: `Refuse all ${alike}` },
    run: (client) => client.moderation.held.refuseAll.mutate({ heldFor }),
    done: `${alike} posts refused`,
    failed: heldPostMessages.refuse,
  }
  return [
    ...(threadTitle === null
      ? []
      : [
          {
            key: 'a',
            label: 'Publish',
            variant: 'primary',
            run: (client) => client.moderation.held.approve.mutate({ postId: id }),
            done: `No. ${id} published`,
            failed: heldPostMessages.approve,
          } satisfies QueueAction,
        ]),
    {
      key: 'r',
      label: 'Refuse',
      run: (client) => client.moderation.held.refuse.mutate({ postId: id }),
      done: `No. ${id} refused`,
      failed: heldPostMessages.refuse,
    },
    ...(label === null ? [] : [banAction('Refuse and ban…')]),
    ...(alike > 1 ? [refuseAll] : []),
  ]
}

const answer = (
  banId: number,
  outcome: 'lift' | 'keep',
  shown: { key: string; label: string; done: string },
): QueueAction => ({
  ...shown,
  run: (client) => client.moderation.bans.answer.mutate({ banId, outcome }),
  failed: banMessages.change,
})
