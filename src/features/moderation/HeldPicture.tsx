import { heldPostMessages } from '#src/contract/heldPosts.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import styles from './HeldPosts.module.css'

/** Loads the picture only on request: moderators choose what they look at, and its URL is not public. */
export function HeldPicture({ postId }: { postId: number }) {
  const { data, mutate, isPending, error } = useMutation({
    mutationFn: async () => (await trpc()).moderation.held.image.query({ postId }),
  })
  if (data) {
    return (
      <img className={styles.picture} src={data.url} width={data.width} height={data.height} alt={`Of No. ${postId}`} />
    )
  }
  return (
    <div className={styles.show}>
      {error && <Alert>{errorText(error, heldPostMessages.image)}</Alert>}
      <Button size="small" busy={isPending} onClick={() => mutate()}>
        Show picture
      </Button>
    </div>
  )
}
