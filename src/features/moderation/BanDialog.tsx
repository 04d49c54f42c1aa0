import { useState } from 'react'
import type { BanWidth } from '#src/contract/bans.ts'
import { t } from '#src/i18n/t.ts'
import { DAY_MS } from '#src/lib/posters.ts'
import { useMutation } from '#src/lib/reactQuery.ts'
import { errorText, trpc } from '#src/lib/trpc.ts'
import { FormDialog } from '#src/ui/FormDialog.tsx'
import { ChipChoice, listBanLengths } from '#src/ui/PosterChoices.tsx'
import { ReasonField } from '#src/ui/ReasonField.tsx'
import { toast } from '#src/ui/Toast.tsx'

type BanDialogProps = {
  item: { kind: 'paste' | 'image'; itemId: string; reason: string }
  /** proposed length */
  days: number
  onClose: () => void
}

/** Bans the poster of a paste or a shared image from the whole site. The item stays. */
export function BanDialog({ item, days: proposedDays, onClose }: BanDialogProps) {
  const { kind, itemId } = item
  const [width, setWidth] = useState<BanWidth>('host')
  const [days, setDays] = useState(proposedDays)
  const [reason, setReason] = useState(item.reason)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const endsAt = new Date(Date.now() + days * DAY_MS)
      return (await trpc()).moderation.bans.create.mutate({ kind, itemId, boardId: null, width, reason, endsAt })
    },
    onSuccess: () => {
      toast(t('moderation.bannedPoster'))
      onClose()
    },
  })

  function submit() {
    const isMissing = reason.trim() === ''
    setRefusal(isMissing ? t('ui.reasonRequired') : null)
    if (!isMissing) mutate()
  }

  return (
    <FormDialog
      onClose={onClose}
      title={t('moderation.banPoster')}
      lead={kind === 'paste' ? t('moderation.banPasteLead') : t('moderation.banImageLead')}
      busy={isPending}
      dirty={reason !== item.reason}
      onSubmit={submit}
      label={t('ui.ban')}
      variant="danger"
      refusal={error && errorText(error, t('moderation.banFailed'))}
    >
      <ChipChoice
        label={t('ui.ban')}
        name="ban-width"
        value={width}
        onChange={setWidth}
        options={[
          { value: 'host', label: t('ui.posterAddress') },
          { value: 'range', label: t('ui.posterNetwork') },
        ]}
      />
      <ChipChoice label={t('ui.banFor')} name="ban-days" value={days} onChange={setDays} options={listBanLengths()} />
      <ReasonField value={reason} onChange={setReason} hint={t('ui.banReasonHint')} error={refusal} />
    </FormDialog>
  )
}
