import { useState } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { canModerate } from '#src/contract/board.ts'
import { t } from '#src/i18n/t.ts'
import { useMutation, useQuery } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Field, Select } from '#src/ui/Field.tsx'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { toast } from '#src/ui/Toast.tsx'
import type { ControlledPost } from './controlStores.ts'

type MoveDialogProps = { post: ControlledPost; user: AuthUser | null; onClose: () => void }

/** Moves a thread to another board that the user moderates. */
export function MoveDialog({ post: { id, boardId }, user, onClose }: MoveDialogProps) {
  const [chosen, setChosen] = useState('')
  const listed = useQuery({
    queryKey: ['boards to move to'],
    queryFn: async () => (await (await trpc()).board.list.query()).boards,
  })
  const boards = listed.data?.filter((board) => board.id !== boardId && canModerate(user, board)) ?? []
  const toBoard = chosen || boards[0]?.id
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => (await trpc()).moderation.act.mutate({ boardId, postId: id, action: 'move', toBoard }),
    onSuccess: () => {
      toast(t('board.threadMoved'))
      onClose()
    },
  })
  const failure = error ?? listed.error

  return (
    <FormDialog
      onClose={onClose}
      title={t('action.move')}
      busy={isPending}
      onSubmit={() => mutate()}
      label={t('board.moveNow')}
      disabled={toBoard === undefined}
      refusal={failure && errorText(failure, t('ui.changePostFailed'))}
    >
      <Field label={t('board.board')} hint={listed.data && boards.length === 0 ? t('board.noOtherBoard') : undefined}>
        <Select value={toBoard} onChange={({ target }) => setChosen(target.value)}>
          {boards.map((board) => (
            <option key={board.id} value={board.id}>
              /{board.id}/ - {board.name}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  )
}
