import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { BlockedImageView } from '#src/contract/filters.ts'
import { t } from '#src/i18n/t.ts'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { RelativeTime, Time } from '#src/ui/Time.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { BlockImageDialog } from './BlockImageDialog.tsx'

/** Lists blocked images, newest first. Never shows them: the site does not have them. */
export function BlockedImagesScreen() {
  const [before, setBefore] = useState<number>()
  const query = usePrivateQuery(['blocked-images', before], (client) =>
    client.moderation.blockedImages.list.query({ before }),
  )
  const { dialog: confirmation, askToDelete } = useDeletion()
  const [isAdding, setIsAdding] = useState(false)

  function onAdded() {
    setIsAdding(false)
    toast(t('moderation.imageBlocked'))
    if (before === undefined) void query.refetch()
    else setBefore(undefined)
  }

  function askToRemove({ id }: BlockedImageView) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(`image-${id}`)?.closest('li'))
    const deletion = {
      title: t('moderation.unblockTitle', { id }),
      text: t('moderation.unblockText'),
      verb: t('moderation.unblock'),
      failed: t('moderation.unblockFailed'),
      done: t('moderation.imageUnblocked'),
      run: async () => (await trpc()).moderation.blockedImages.remove.mutate({ id }),
    }
    void askToDelete(deletion, () => void query.refetch().then(moveFocus))
  }

  return (
    <div className="stack">
      <div>
        <Button variant="primary" onClick={() => setIsAdding(true)}>
          <Plus className="icon" />
          {t('moderation.blockImage')}
        </Button>
      </div>
      <QueryResult query={query} failed={t('moderation.blockedImagesFailed')}>
        {({ images, nextBefore }) =>
          images.length === 0 ? (
            <EmptyState>{t('moderation.noBlockedImages')}</EmptyState>
          ) : (
            <>
              <Rows label={t('moderation.blockedImages')}>
                {images.map((image) => (
                  <Row
                    key={image.id}
                    title={
                      <span id={`image-${image.id}`}>
                        {t('ui.postNumber', { id: image.id })}
                        {image.reason && ` · ${image.reason}`}
                      </span>
                    }
                    facts={imageFacts(image)}
                    actions={
                      <Button
                        size="small"
                        variant="danger"
                        aria-describedby={`image-${image.id}`}
                        onClick={() => askToRemove(image)}
                      >
                        {t('moderation.unblock')}
                      </Button>
                    }
                  />
                ))}
              </Rows>
              {nextBefore !== null && (
                <Button onClick={() => setBefore(nextBefore)}>{t('moderation.olderImages')}</Button>
              )}
            </>
          )
        }
      </QueryResult>
      {isAdding && <BlockImageDialog onClose={() => setIsAdding(false)} onAdded={onAdded} />}
      {confirmation}
    </div>
  )
}

function imageFacts({ createdAt, isTakenDown, blocksCopies, matches, lastMatchAt }: BlockedImageView): Fact[] {
  const facts: Fact[] = [
    [t('moderation.blockedAt'), <Time key="created" date={createdAt} />],
    [t('moderation.blockedBy'), isTakenDown ? t('moderation.blockedByTakedown') : t('moderation.blockedByUpload')],
    [t('moderation.recognizes'), blocksCopies ? t('moderation.recognizesCopies') : t('moderation.recognizesFile')],
    [t('moderation.stopped'), t('moderation.stoppedUploads', { count: matches })],
  ]
  if (lastMatchAt) facts.push([t('moderation.lastMatch'), <RelativeTime key="last" date={lastMatchAt} />])
  return facts
}
