import { PASTE_CALL } from '#src/contract/paste.ts'
import { rich, t } from '#src/i18n/t.ts'
import { trpc } from '#src/lib/trpc.ts'
import { DeletePanel } from '#src/ui/DeletePanel.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import { Time } from '#src/ui/Time.tsx'
import { TimeRemaining } from '#src/ui/TimeRemaining.tsx'

type DeletePasteProps = {
  pasteId: string
  token: string
  refusal?: string
  createdAt: Date
  expiresAt: Date
  now: Date
  onDeleted: () => void
}

export function DeletePaste({ pasteId, token, refusal, createdAt, expiresAt, now, onDeleted }: DeletePasteProps) {
  return (
    <DeletePanel
      noun="paste"
      action={`${PASTE_CALL}/${encodeURIComponent(pasteId)}/delete`}
      token={token}
      refusal={refusal}
      onDelete={async () => (await trpc()).paste.delete.mutate({ pasteId, token })}
      onDeleted={onDeleted}
      failedText={t('paste.deleteFailed')}
      keepHref="/paste-service"
    >
      <div className="cluster">
        <Tag>{rich('ui.created', { time: () => <Time date={createdAt} /> })}</Tag>
        <TimeRemaining expiresAt={expiresAt} now={now} />
      </div>
      <p>{t('paste.deleteWarning')}</p>
    </DeletePanel>
  )
}
