import { Ban, Check, Eraser, ListX, Lock, LockOpen, type LucideIcon, Trash2, X } from 'lucide-react'
import type { QueueItem } from '#src/contract/queue.ts'
import type { ReportAction, ReportedItem } from '#src/contract/reports.ts'
import { t } from '#src/i18n/t.ts'
import type { Action } from '#src/ui/admin/useActions.tsx'
import { describeHold } from './queueTexts.ts'
import { reasonTexts } from './reasonTexts.ts'

/** An action with its key. */
export type QueueAction = {
  key: string
  label: string
  /** shown instead of the label on phones, where a word or two fit */
  short?: string
  /** shown above the label on phones */
  icon: LucideIcon
  variant?: 'primary' | 'danger'
  /** asked before an action that needs a second key or tap */
  question?: { text: string; label: string }
} & ({ run: Action['run']; done: string; failed: string } | { opens: 'poster' })

/** An item whose poster can be banned, and the proposed reason. */
type BannableItem = { reason: string } & (
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
        answer(item.ban.id, 'lift', {
          key: 'l',
          icon: LockOpen,
          label: t('moderation.liftBan'),
          done: t('moderation.banLifted'),
        }),
        answer(item.ban.id, 'keep', {
          key: 'k',
          icon: Lock,
          label: t('moderation.keepBan'),
          done: t('moderation.banKept'),
        }),
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
  const reason = reports[0] ? reasonTexts[reports[0].reason]() : ''
  if (content.kind === 'post') return { kind: 'post', boardId: content.boardId, id: content.post.id, reason }
  const itemId = path?.split('/').pop()
  return content.kind === 'program' || !itemId ? null : { kind: content.kind, itemId, reason }
}

/** Whether an error says that another moderator was faster, or that the item is on a board of others now. */
export function isDecided({ kind }: QueueItem, code: string | null): boolean {
  if (code === 'FORBIDDEN') return true
  if (kind === 'report') return code === 'CONFLICT'
  return code === 'NOT_FOUND' || (kind === 'appeal' && code === 'CONFLICT')
}

function reportActions(report: ReportedItem, canBan: boolean): QueueAction[] {
  const { reportId, kind, content } = report
  const act = (
    action: ReportAction,
    shown: Pick<QueueAction, 'key' | 'label' | 'icon' | 'variant' | 'question'>,
    done: string,
  ) => ({
    ...shown,
    run: (client: Parameters<Action['run']>[0]) => client.moderation.resolve.mutate({ reportId, action }),
    done,
    failed: t('show.finishFailed'),
  })
  // Without its URL, a paste cannot be shown, but it exists.
  const exists = content !== null || kind === 'paste'
  const isRemoved = content?.kind === 'post' && content.isRemoved
  const question = { text: t('moderation.takeDownText'), label: t('moderation.takeDownForGood') }
  return [
    ...(exists && !isRemoved
      ? [act('delete', { key: 'd', icon: Trash2, label: t('ui.delete') }, t('moderation.deleted'))]
      : []),
    ...(canBan && !isRemoved
      ? [banAction(content?.kind === 'post' ? t('moderation.deleteAndBan') : t('moderation.banAsk'))]
      : []),
    ...(exists
      ? [
          act(
            'take-down',
            { key: 't', icon: Eraser, label: t('moderation.takeDown'), variant: 'danger', question },
            t('moderation.takenDownToast'),
          ),
        ]
      : []),
    act('dismiss', { key: 'x', icon: X, label: t('moderation.dismiss') }, t('moderation.dismissed')),
  ]
}

const banAction = (label: string): QueueAction => ({
  key: 'b',
  icon: Ban,
  label,
  short: t('moderation.banAsk'),
  opens: 'poster',
})

function heldActions({
  id,
  heldFor,
  alike,
  label,
  threadTitle,
}: Extract<QueueItem, { kind: 'held' }>['post']): QueueAction[] {
  const refuseAll: QueueAction = {
    key: 'g',
    icon: ListX,
    label: t('moderation.refuseAllAlike', { count: alike }),
    short: t('moderation.refuseAll', { count: alike }),
    question: {
      text: t('moderation.refuseAllText', { count: alike, reason: describeHold(heldFor) }),
      label: t('moderation.refuseAll', { count: alike }),
    },
    run: (client) => client.moderation.held.refuseAll.mutate({ heldFor }),
    done: t('moderation.refusedAll', { count: alike }),
    failed: t('moderation.refuseFailed'),
  }
  return [
    ...(threadTitle === null
      ? []
      : [
          {
            key: 'a',
            icon: Check,
            label: t('moderation.publish'),
            variant: 'primary',
            run: (client) => client.moderation.held.approve.mutate({ postId: id }),
            done: t('moderation.published', { id }),
            failed: t('moderation.publishFailed'),
          } satisfies QueueAction,
        ]),
    {
      key: 'r',
      icon: X,
      label: t('moderation.effectRefuse'),
      run: (client) => client.moderation.held.refuse.mutate({ postId: id }),
      done: t('moderation.refused', { id }),
      failed: t('moderation.refuseFailed'),
    },
    ...(label === null ? [] : [banAction(t('moderation.refuseAndBan'))]),
    ...(alike > 1 ? [refuseAll] : []),
  ]
}

const answer = (
  banId: number,
  outcome: 'lift' | 'keep',
  shown: Pick<QueueAction, 'key' | 'icon' | 'label'> & { done: string },
): QueueAction => ({
  ...shown,
  run: (client) => client.moderation.bans.answer.mutate({ banId, outcome }),
  failed: t('moderation.banFailed'),
})
