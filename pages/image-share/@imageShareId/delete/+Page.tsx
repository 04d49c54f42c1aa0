import { useState } from 'react'
import { useData } from 'vike-react/useData'
import { TryAgain } from '#pages/dataPage.tsx'
import { isFailed } from '#pages/pageData.ts'
import { DeleteShare } from '#src/features/image/DeleteShare.tsx'
import { ShareFailed } from '#src/features/image/ShareScreen.tsx'
import { t } from '#src/i18n/t.ts'
import { Deleted } from '#src/ui/DeletePanel.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const data = useData<Data>()
  const [deleted, setDeleted] = useState<Data>()
  const isDeleted = 'isDeleted' in data || deleted === data
  return (
    <div className="wrap">
      <PageHeader
        title={isDeleted ? t('board.imageDeleted') : t('image.deleteQuestion')}
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
