import { boardPath } from '#src/contract/board.ts'
import { type PostFormPlace, threadPath } from '#src/contract/thread.ts'
import { rich, t } from '#src/i18n/t.ts'
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
        title={held.until ? t('board.heldUntilTitle') : t('board.heldTitle')}
        trail={usePostFormTrail(place)}
      />
      <div role="status">
        <p>{held.until ? <HeldUntil id={held.id} until={held.until} /> : t('board.heldText', { id: held.id })}</p>
        <ButtonLink href={`${threadPath(board.id, threadId)}#p${held.id}`}>{t('board.lookForPost')}</ButtonLink>
        <ButtonLink variant="text" href={boardPath(board.id)}>
          {t('board.backTo', { board: board.id })}
        </ButtonLink>
      </div>
    </div>
  )
}

const HeldUntil = ({ id, until }: { id: number; until: Date }) =>
  rich('board.heldUntilText', { id, time: () => <Time date={until} /> })
