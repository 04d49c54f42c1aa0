import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type BlockedImageView, blockedImageMessages } from '#src/contract/blockedImages.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { prepareNeighbourFocus } from '#src/ui/focus.ts'
import { RelativeTime, Time } from '#src/ui/Time.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { BlockImageDialog } from './BlockImageDialog.tsx'
import styles from './FiltersScreen.module.css'

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
    toast('Image blocked')
    if (before === undefined) void query.refetch()
    else setBefore(undefined)
  }

  function askToRemove({ id }: BlockedImageView) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(`image-${id}`)?.closest('li'))
    const describe = async () => ({
      title: `Unblock image No. ${id}?`,
      text: 'Anyone will be able to upload it again.',
      verb: 'Unblock',
      failed: blockedImageMessages.remove,
      done: 'Image unblocked',
      run: async () => (await trpc()).moderation.blockedImages.remove.mutate({ id }),
    })
    void askToDelete(describe, () => void query.refetch().then(moveFocus))
  }

  return (
    <div className={styles.screen}>
      <div>
        <Button variant="primary" onClick={() => setIsAdding(true)}>
          <Plus className="icon" />
          Block Image
        </Button>
      </div>
      <QueryResult query={query} failed={blockedImageMessages.load}>
        {({ images, nextBefore }) =>
          images.length === 0 ? (
            <EmptyState>No image is blocked yet. A takedown blocks the images that it erases.</EmptyState>
          ) : (
            <>
              <Rows label="Blocked images">
                {images.map((image) => (
                  <Row
                    key={image.id}
                    title={
                      <span id={`image-${image.id}`}>{`No. ${image.id}${image.reason && ` · ${image.reason}`}`}</span>
                    }
                    facts={imageFacts(image)}
                    actions={
                      <Button
                        size="small"
                        variant="danger"
                        aria-describedby={`image-${image.id}`}
                        onClick={() => askToRemove(image)}
                      >
                        Unblock
                      </Button>
                    }
                  />
                ))}
              </Rows>
              {nextBefore !== null && <Button onClick={() => setBefore(nextBefore)}>Older images</Button>}
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
    ['Blocked', <Time key="created" date={createdAt} />],
    ['By', isTakenDown ? 'a takedown' : 'an upload here'],
    ['Recognizes', blocksCopies ? 'the file and look-alikes' : 'only the same file'],
    [
      'Stopped',
      matches === 0 ? 'no upload yet' : `${matches.toLocaleString('en')} ${matches === 1 ? 'upload' : 'uploads'}`,
    ],
  ]
  if (lastMatchAt) facts.push(['Last', <RelativeTime key="last" date={lastMatchAt} />])
  return facts
}
