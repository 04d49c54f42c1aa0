import { Check, Trash2 } from 'lucide-react'
import { type ImageShareView, imageMessages } from '#src/contract/image.ts'
import { fitInside } from '#src/lib/fit.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { Remaining } from '#src/ui/Remaining.tsx'
import styles from './DeleteScreen.module.css'

type DeleteScreenProps = { share: ImageShareView; token: string; now: Date }

/** Asks whoever came by the delete link; opening the link alone changes nothing. */
export function DeleteScreen({ share, token, now }: DeleteScreenProps) {
  const deletion = useMutation({ mutationFn: async () => (await trpc()).image.delete.mutate({ id: share.id, token }) })

  if (deletion.isSuccess) {
    return (
      <div className={styles.screen}>
        <p className={styles.done} role="status">
          <Check className="icon" />
          The image is deleted.
        </p>
        <p>
          <ButtonLink href="/image-sharing">Back to Image Sharing</ButtonLink>
        </p>
      </div>
    )
  }
  const { preview, image } = share
  return (
    <div className={styles.screen}>
      {deletion.isError && <Alert>{errorText(deletion.error, imageMessages.deleteShare)}</Alert>}
      <img
        className={styles.preview}
        src={preview.url}
        {...fitInside(image, { width: 320, height: 240 })}
        alt={share.filename}
      />
      <p>
        <Remaining expiresAt={share.expiresAt} now={now} />
      </p>
      <p>Its page and its file will be gone at once, for everybody. This cannot be undone.</p>
      <div className={styles.keys}>
        <Button variant="danger" busy={deletion.isPending} onClick={() => deletion.mutate()}>
          <Trash2 className="icon" />
          Delete image
        </Button>
        <ButtonLink href={`/image-share/${share.id}`}>Keep it</ButtonLink>
      </div>
    </div>
  )
}
