import { useState } from 'react'
import { useData } from 'vike-react/useData'
import { TryAgain } from '#pages/dataPage.tsx'
import { isFailed } from '#pages/pageData.ts'
import { type ImageShareView, SHARE_CALL } from '#src/contract/image.ts'
import { ShareFailed } from '#src/features/image/ShareScreen.tsx'
import { t } from '#src/i18n/t.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import { trpc } from '#src/lib/trpc.ts'
import { Deleted, DeletePanel } from '#src/ui/DeletePanel.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TimeRemaining } from '#src/ui/TimeRemaining.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const data = useData<Data>()
  const [deleted, setDeleted] = useState<Data>()
  const isDeleted = 'isDeleted' in data || deleted === data
  return (
    <div className="wrap">
      <PageHeader
        title={isDeleted ? t('action.deleteImageDone') : t('image.deleteQuestion')}
        trail={[{ label: t('site.imageSharing'), href: '/image-sharing' }, { label: t('ui.delete') }]}
      />
      {isFailed(data) ? (
        <ShareFailed action={<TryAgain />}>{data.error}</ShareFailed>
      ) : isDeleted ? (
        <Deleted noun="image" />
      ) : (
        <DeleteShare key={data.share.id} {...data} onDeleted={() => setDeleted(data)} />
      )}
    </div>
  )
}

type DeleteShareProps = { share: ImageShareView; token: string; refusal?: string; now: Date; onDeleted: () => void }

function DeleteShare({ share, token, refusal, now, onDeleted }: DeleteShareProps) {
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
