import type { PostFormPlace } from '#src/contract/board.ts'
import { boardPath, threadPath } from '#src/contract/boardPaths.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './PostScreen.module.css'
import { usePostFormTrail } from './postFormTrail.ts'

/** A post that waits. `until` is null if it waits for a moderator. */
export type HeldNotice = { id: number; until: Date | null }

/** Tells an author without script that a post waits. With script, the thread shows it to its author. */
export function HeldPostScreen({ place, held }: { place: PostFormPlace; held: HeldNotice }) {
  const { board, thread } = place
  const threadId = thread?.id ?? held.id
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHeader
        title={held.until ? 'Your post appears soon' : 'Your post waits for a review'}
        trail={usePostFormTrail(place)}
      />
      <div role="status">
        {held.until ? (
          <p>
            It got the number {held.id} and appears by itself in about a minute, at <Time date={held.until} withZone />.
          </p>
        ) : (
          <p>It got the number {held.id} and appears when a moderator publishes it.</p>
        )}
        <ButtonLink href={`${threadPath(board.id, threadId)}#p${held.id}`}>Look for the post</ButtonLink>
        <ButtonLink variant="text" href={boardPath(board.id)}>
          Back to /{board.id}/
        </ButtonLink>
      </div>
    </div>
  )
}
