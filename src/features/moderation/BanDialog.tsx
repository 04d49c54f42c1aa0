import { type FormEvent, useState } from 'react'
import { banMessages } from '#src/contract/bans.ts'
import type { BanWidth } from '#src/contract/moderation.ts'
import { DAY_MS } from '#src/lib/posters.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { ChipChoice, listBanLengths } from '#src/ui/PosterChoices.tsx'
import { ReasonField } from '#src/ui/ReasonField.tsx'
import { toast } from '#src/ui/Toast.tsx'

type BanDialogProps = {
  item: { kind: 'paste' | 'image'; itemId: string; reason: string }
  /** proposed length */
  days: number
  open: boolean
  onClose: () => void
}

/** Bans the poster of a paste or a shared image from the whole site. The item stays. */
export function BanDialog({ item, days: proposedDays, open, onClose }: BanDialogProps) {
  const { kind, itemId } = item
  const [width, setWidth] = useState<BanWidth>('host')
  const [days, setDays] = useState(proposedDays)
  const [reason, setReason] = useState(item.reason)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async () => {
      const endsAt = new Date(Date.now() + days * DAY_MS)
      return (await trpc()).moderation.bans.create.mutate({ kind, itemId, boardId: null, width, reason, endsAt })
    },
    onSuccess: () => {
      toast('Banned the poster')
      close()
    },
  })

  function close() {
    reset()
    onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const isMissing = reason.trim() === ''
    setRefusal(isMissing ? banMessages.reason : null)
    if (!isMissing) mutate()
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title="Ban the poster"
      lead={`From the whole site. The ${kind} stays.`}
      busy={isPending}
      onSubmit={submit}
      foot={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="danger" type="submit" busy={isPending}>
            Ban
          </Button>
        </>
      }
    >
      {error && <Alert>{errorText(error, banMessages.change)}</Alert>}
      <ChipChoice
        label="Ban"
        name="ban-width"
        value={width}
        onChange={setWidth}
        options={[
          { value: 'host', label: 'The address' },
          { value: 'range', label: 'Its network' },
        ]}
      />
      <ChipChoice label="Ban for" name="ban-days" value={days} onChange={setDays} options={listBanLengths()} />
      <ReasonField
        value={reason}
        onChange={setReason}
        hint="Shown to the banned poster and in the public log"
        error={refusal}
      />
    </Dialog>
  )
}
