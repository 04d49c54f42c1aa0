import { useState } from 'react'
import type { QueueItem as Item } from '#src/contract/queue.ts'
import { PosterDialog } from '#src/ui/PosterDialog.tsx'
import { BanDialog } from './BanDialog.tsx'
import { QueueActions } from './QueueActions.tsx'
import { QueueItem } from './QueueItem.tsx'
import { actionsOf, bannableItem } from './queueActions.ts'

/** Proposed length of a ban. */
const BAN_DAYS = 7

type QueueStageProps = {
  item: Item
  isAdmin: boolean
  /** called after the item was decided; loads the next one */
  onDone: () => Promise<void>
  /** called after an action that leaves the item in the queue */
  onChange: () => void
  onLater: () => void
}

/** Shows an item with its actions. */
export function QueueStage({ item, isAdmin, onDone, onChange, onLater }: QueueStageProps) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  // An open dialog stays as it is when the item changes.
  const [bannable] = useState(() => bannableItem(item))
  const staysOpen = item.kind === 'report' && item.report.reports.some(({ reason }) => reason === 'illegal')

  return (
    <>
      <QueueItem item={item} />
      <QueueActions
        item={item}
        actions={actionsOf(item)}
        onPoster={() => setDialogOpen(true)}
        onDone={onDone}
        onLater={onLater}
      />
      {isDialogOpen && bannable?.kind === 'post' && (
        <PosterDialog
          posts={[bannable]}
          isAdmin={isAdmin}
          onClose={() => setDialogOpen(false)}
          onDone={({ deleted }) => (deleted && !staysOpen ? onDone() : onChange())}
          proposal={{ banDays: BAN_DAYS, reason: bannable.reason }}
        />
      )}
      {isDialogOpen && bannable && bannable.kind !== 'post' && (
        <BanDialog item={bannable} days={BAN_DAYS} onClose={() => setDialogOpen(false)} />
      )}
    </>
  )
}
