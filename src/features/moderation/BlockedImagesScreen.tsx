import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { BlockedImageView } from '#src/contract/filters.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryRows } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, RowButton } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { RelativeTime, Time } from '#src/ui/Time.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { BlockImageDialog } from './BlockImageDialog.tsx'

/** Lists blocked images, newest first. Never shows them: the site does not have them. */
export function BlockedImagesScreen() {
  const [before, setBefore] = useState<number>()
  const query = usePrivateQuery(['blocked-images', before], (client) =>
    client.moderation.blockedImages.list.query({ before }),
  )
  const nextBefore = query.data?.nextBefore
  const { deletion, dialog } = useActions(query.refetch)
  const [isAdding, setIsAdding] = useState(false)

  function onAdded() {
    setIsAdding(false)
    toast(t('moderation.imageBlocked'))
    if (before === undefined) void query.refetch()
    else setBefore(undefined)
  }

  return (
    <div className="stack">
      <div>
        <Button variant="primary" onClick={() => setIsAdding(true)}>
          <Plus className="icon" />
          {t('moderation.blockImage')}
        </Button>
      </div>
      <QueryRows
        query={query}
        failed={t('moderation.blockedImagesFailed')}
        label={t('moderation.blockedImages')}
        items={({ images }) => images}
        empty={t('moderation.noBlockedImages')}
      >
        {(image) => (
          <Row
            key={image.id}
            title={[t('ui.postNumber', { id: image.id }), image.reason].filter(Boolean).join(' · ')}
            facts={imageFacts(image)}
            actions={
              <RowButton
                variant="danger"
                {...deletion({
                  title: t('moderation.unblockTitle', { id: image.id }),
                  text: t('moderation.unblockText'),
                  verb: t('moderation.unblock'),
                  failed: t('moderation.unblockFailed'),
                  done: t('moderation.imageUnblocked'),
                  run: (client) => client.moderation.blockedImages.remove.mutate({ id: image.id }),
                })}
              >
                {t('moderation.unblock')}
              </RowButton>
            }
          />
        )}
      </QueryRows>
      {nextBefore && <Button onClick={() => setBefore(nextBefore)}>{t('moderation.olderImages')}</Button>}
      {isAdding && <BlockImageDialog onClose={() => setIsAdding(false)} onAdded={onAdded} />}
      {dialog}
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
