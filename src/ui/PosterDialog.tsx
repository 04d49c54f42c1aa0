import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { banMessages } from '#src/contract/bans.ts'
import { type BanWidth, moderationLimits, moderationMessages, type PosterScope } from '#src/contract/moderation.ts'
import { type Poster, readPosters, removePosters } from '#src/lib/posters.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText } from '#src/lib/trpc.ts'
import { Alert } from './Alert.tsx'
import { Button } from './Button.tsx'
import { Chip } from './Chip.tsx'
import { Dialog } from './Dialog.tsx'
import { Field, TextInput } from './Field.tsx'
import styles from './PosterDialog.module.css'
import { toast } from './Toast.tsx'

const BANS = [
  { days: 0, label: 'No ban' },
  { days: 1, label: '1 day' },
  { days: 7, label: '1 week' },
  { days: 30, label: '30 days' },
  { days: 360, label: '360 days' },
]

type PosterDialogProps = {
  posts: Poster['post'][]
  isAdmin: boolean
  open: boolean
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
  open,
  onClose,
  onDone,
  proposal = { banDays: 0, reason: '' },
}: PosterDialogProps) {
  const [posters, setPosters] = useState<Poster[] | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [scope, setScope] = useState<PosterScope>('board')
  const [width, setWidth] = useState<BanWidth>('host')
  const [deletes, setDeletes] = useState(true)
  const [banDays, setBanDays] = useState(proposal.banDays)
  const [reason, setReason] = useState(proposal.reason)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => removePosters(posters ?? [], { scope, width, reason, deletes, banDays }),
    onSuccess: (count) => {
      const who = countOf(posters?.length ?? 0, 'poster')
      toast(deletes ? `Deleted ${countOf(count, 'post')} by ${who}` : `Banned ${who}`)
      onDone({ deleted: deletes })
      close()
    },
  })

  useEffect(() => {
    if (!open) return
    let isCurrent = true
    setPosters(null)
    setFailure(null)
    readPosters(posts, width, isAdmin).then(
      (found) => isCurrent && setPosters(found),
      (cause) => isCurrent && setFailure(cause),
    )
    return () => {
      isCurrent = false
    }
  }, [open, posts, width, isAdmin])

  function close() {
    reset()
    onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const isMissing = banDays > 0 && reason.trim() === ''
    setRefusal(isMissing ? banMessages.reason : null)
    if (!isMissing) mutate()
  }

  const boardId = posts[0]?.boardId
  const unknown = posters && posters.length === 0
  const shown = error ?? failure
  return (
    <Dialog
      open={open}
      onClose={close}
      title={posts.length > 1 ? 'Everything by these posters' : 'Everything by this poster'}
      lead={posters ? posters.map(({ label }) => label).join(' ') || `/${boardId}/` : 'Counting…'}
      busy={isPending}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="danger"
            type="submit"
            busy={isPending}
            disabled={!posters || posters.length === 0 || (!deletes && banDays === 0)}
          >
            {!deletes ? 'Ban' : banDays > 0 ? 'Delete all and ban' : 'Delete all'}
          </Button>
        </>
      }
    >
      {shown !== null && <Alert>{errorText(shown, moderationMessages.act)}</Alert>}
      {unknown && <Alert>{moderationMessages.unknownPoster}.</Alert>}
      <Choice label="Where">
        <Chip name="scope" checked={scope === 'board'} onChange={() => setScope('board')} count={sum(posters, 'board')}>
          On /{boardId}/
        </Chip>
        {isAdmin && (
          <Chip name="scope" checked={scope === 'site'} onChange={() => setScope('site')} count={sum(posters, 'site')}>
            On the whole site
          </Chip>
        )}
      </Choice>
      <Choice label="Posted from">
        <Chip name="width" checked={width === 'host'} onChange={() => setWidth('host')}>
          The same address
        </Chip>
        <Chip name="width" checked={width === 'range'} onChange={() => setWidth('range')}>
          Its network
        </Chip>
      </Choice>
      <Choice label="Their posts">
        <Chip name="deletes" checked={deletes} onChange={() => setDeletes(true)}>
          Delete all
        </Chip>
        <Chip name="deletes" checked={!deletes} onChange={() => setDeletes(false)}>
          Keep
        </Chip>
      </Choice>
      <Choice label="Ban">
        {BANS.map(({ days, label }) => (
          <Chip key={days} name="ban" checked={banDays === days} onChange={() => setBanDays(days)}>
            {label}
          </Chip>
        ))}
      </Choice>
      <Field
        label="Reason"
        hint={banDays > 0 ? 'Shown to the banned poster and in the public log' : 'Shown in the public log'}
        error={refusal}
      >
        <TextInput
          name="reason"
          autoComplete="off"
          maxLength={moderationLimits.reason}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </Dialog>
  )
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={styles.choice}>
      <legend className="label">{label}</legend>
      <div>{children}</div>
    </fieldset>
  )
}

const countOf = (count: number, noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`

const sum = (posters: Poster[] | null, scope: PosterScope) =>
  posters?.reduce((total, poster) => total + poster[scope], 0)
