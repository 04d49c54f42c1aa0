import { useState } from 'react'
import { moderationLimits, type PosterScope } from '#src/contract/moderation.ts'
import { t } from '#src/i18n/t.ts'
import { focusOnMount } from '#src/lib/focus.ts'
import { type Poster, type PosterBan, type PosterDeletion, readPosters, removePosters } from '#src/lib/posters.ts'
import { useMutation, useQuery } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Button } from './Button.tsx'
import { Field, TextInput } from './Field.tsx'
import { FormDialog } from './FormDialog.tsx'
import { PosterChoices } from './PosterChoices.tsx'
import { ReasonField } from './ReasonField.tsx'
import { toast } from './Toast.tsx'

/** Proposed for a ban. */
const DEFAULT_DAYS = 7

type PosterDialogProps = {
  posts: Poster['post'][]
  isAdmin: boolean
  onClose: () => void
  /** called after the action, before `onClose` */
  onDone: (done: { deleted: boolean }) => void
  /** what the dialog proposes */
  proposal?: { banDays: number; reason: string }
}

/** Deletes everything by the posters of the given posts, and bans them. */
export function PosterDialog({
  posts,
  isAdmin,
  onClose,
  onDone,
  proposal = { banDays: 0, reason: '' },
}: PosterDialogProps) {
  const [deletion, setDeletion] = useState<PosterDeletion>({ scope: 'board', width: 'host' })
  const [ban, setBan] = useState<PosterBan>({
    width: proposal.banDays > 0 ? 'host' : null,
    scope: 'board',
    days: proposal.banDays || DEFAULT_DAYS,
  })
  const [reason, setReason] = useState(proposal.reason)
  const [note, setNote] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const deletes = deletion.scope !== null
  const bans = ban.width !== null
  /** A note is below a post that stays. */
  const isNoted = bans && !deletes
  const { width } = deletion
  const { data: posters, error: failure } = useQuery({
    queryKey: ['posters', ...posts.map(({ id }) => id), width, isAdmin],
    queryFn: () => readPosters(posts, width, isAdmin),
    gcTime: 0,
  })
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removePosters(posters ?? [], deletion, ban, reason, isNoted ? note.trim() : ''),
    onSuccess: (count) => {
      const total = posters?.length ?? 0
      toast(
        deletes ? t('ui.deletedByPosters', { posts: count, posters: total }) : t('ui.bannedPosters', { count: total }),
      )
      onDone({ deleted: deletes })
      onClose()
    },
  })

  function submit() {
    const isMissing = bans && reason.trim() === ''
    setRefusal(isMissing ? t('ui.reasonRequired') : null)
    if (!isMissing) mutate()
  }

  const boardId = posts[0]?.boardId ?? ''
  const shown = error ?? failure
  const isUnknown = posters?.length === 0
  return (
    <FormDialog
      onClose={onClose}
      title={posts.length > 1 ? t('ui.everythingByPosters') : t('ui.everythingByPoster')}
      lead={
        <span className="data">
          {posters ? posters.map(({ label }) => label).join(' ') || `/${boardId}/` : t('ui.counting')}
        </span>
      }
      busy={isPending}
      dirty={reason !== proposal.reason || note !== ''}
      onSubmit={submit}
      foot={isUnknown && <Button onClick={onClose}>{t('ui.close')}</Button>}
      label={!deletes ? t('ui.ban') : bans ? t('ui.deleteAllAndBan') : t('ui.deleteAll')}
      variant="danger"
      disabled={!posters || (!deletes && !bans)}
      refusal={shown !== null && errorText(shown, t('ui.changePostFailed'))}
    >
      {isUnknown ? (
        // Takes the place of the field that has the focus.
        <p role="status" tabIndex={-1} ref={focusOnMount}>
          {t('ui.unknownPoster')}
        </p>
      ) : (
        <>
          <PosterChoices
            boardId={boardId}
            isAdmin={isAdmin}
            countOn={(scope) => sum(posters, scope)}
            deletion={deletion}
            onDeletion={setDeletion}
            ban={ban}
            onBan={setBan}
          />
          <ReasonField
            value={reason}
            onChange={setReason}
            hint={bans ? t('ui.banReasonHint') : t('ui.reasonOptionalHint')}
            error={refusal}
          />
        </>
      )}
      {isNoted && !isUnknown && (
        <Field label={t('ui.publicNote')} hint={t('ui.publicNoteHint')}>
          <TextInput
            name="note"
            autoComplete="off"
            maxLength={moderationLimits.note}
            placeholder="USER WAS BANNED FOR THIS POST"
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </Field>
      )}
    </FormDialog>
  )
}

const sum = (posters: Poster[] | undefined, scope: PosterScope) =>
  posters?.reduce((total, poster) => total + poster[scope], 0)
