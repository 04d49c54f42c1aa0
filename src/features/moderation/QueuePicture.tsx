import { Eye } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { usePlayer } from '#src/player/store.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Key } from './QueueActions.tsx'
import styles from './QueueItem.module.css'

/** Covers a picture until the moderator asks for it, with the button or its key. */
export function CoveredPicture({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false)
  const { shortcuts } = usePlayer()
  if (isShown) return children
  return (
    <div className={styles.cover}>
      <Button
        size="small"
        data-uncover=""
        aria-keyshortcuts={shortcuts ? 'p' : undefined}
        onClick={() => setShown(true)}
      >
        <Eye className="icon icon-s" />
        {t('moderation.showPicture')}
        <Key name="p" />
      </Button>
    </div>
  )
}

const PREVIEW = { width: 480, height: 320 }

export function Preview({ image, alt }: { image: { url: string; width: number; height: number }; alt: string }) {
  const size = fitInside(image, PREVIEW)
  return <img className={styles.preview} src={image.url} width={size.width} height={size.height} alt={alt} />
}

/** Loads a picture of a held post, which has no public URL. */
export function HeldPicture({ postId, number }: { postId: number; number: number }) {
  const query = usePrivateQuery(['held picture', postId, number], (client) =>
    client.moderation.held.image.query({ postId, number }),
  )
  return (
    <QueryResult query={query} failed={t('moderation.showPictureFailed')}>
      {(image) => <Preview image={image} alt={t('moderation.pictureOf', { id: postId })} />}
    </QueryResult>
  )
}
