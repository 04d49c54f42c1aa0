import { useData } from 'vike-react/useData'
import { TryAgain } from '#pages/dataPage.tsx'
import { isFailed } from '#pages/pageData.ts'
import { ShareFailed, ShareScreen } from '#src/features/image/ShareScreen.tsx'
import { t } from '#src/i18n/t.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const data = useData<Data>()
  return (
    <div className="wrap">
      <PageHeader
        title={t('image.sharedImage')}
        trail={[{ label: t('site.imageSharing'), href: '/image-sharing' }, { label: t('image.sharedImage') }]}
      />
      {isFailed(data) ? (
        <ShareFailed action={<TryAgain />}>{data.error}</ShareFailed>
      ) : (
        <ShareScreen key={data.share.id} share={data.share} now={data.now} />
      )}
    </div>
  )
}
