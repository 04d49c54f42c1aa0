import { type ImageShareView, SHARE_CALL } from '#src/contract/image.ts'
import { t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import { trpc } from '#src/lib/trpc.ts'
import { DeletePanel } from '#src/ui/DeletePanel.tsx'
import { TimeRemaining } from '#src/ui/TimeRemaining.tsx'

type DeleteShareProps = { share: ImageShareView; token: string; refusal?: string; now: Date; onDeleted: () => void }

export function DeleteShare({ share, token, refusal, now, onDeleted }: DeleteShareProps) {
  const { id, preview, filename, expiresAt } = share
  return (
    <DeletePanel
      noun="image"
      action={`${SHARE_CALL}/${id}/delete`}
      token={token}
      refusal={refusal}
      onDelete={async () => (await trpc()).image.delete.mutate({ id, token })}
      onDeleted={onDeleted}
      failedText={t('image.deleteShareFailed')}
      keepHref={`/image-share/${id}`}
    >
      <img src={preview.url} {...fitInside(preview, { width: 320, height: 240 })} alt={filename} />
      <p>
        <TimeRemaining expiresAt={expiresAt} now={now} />
      </p>
      <p>{t('image.deleteWarning')}</p>
    </DeletePanel>
  )
}
