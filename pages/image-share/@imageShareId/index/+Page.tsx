import { useData } from 'vike-react/useData'
import { TryAgain } from '#pages/dataPage.tsx'
import { isFailed } from '#pages/pageData.ts'
import { ShareFailed, ShareScreen } from '#src/features/image/ShareScreen.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const data = useData<Data>()
  return (
    <div className="wrap">
      <PageHeader
        title="Shared image"
        trail={[{ label: 'Image Sharing', href: '/image-sharing' }, { label: 'Shared image' }]}
      />
      {isFailed(data) ? (
        <ShareFailed action={<TryAgain />}>{data.error}</ShareFailed>
      ) : (
        <ShareScreen key={data.share.id} share={data.share} now={data.now} />
      )}
    </div>
  )
}
