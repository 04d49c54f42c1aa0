import { useData } from 'vike-react/useData'
import { TryAgain } from '#pages/dataPage.tsx'
import { isFailed } from '#pages/pageData.ts'
import { DeleteShare } from '#src/features/image/DeleteShare.tsx'
import { ShareFailed } from '#src/features/image/ShareScreen.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const data = useData<Data>()
  return (
    <div className="wrap">
      <PageHeader
        title="Delete this image?"
        trail={[{ label: 'Image Sharing', href: '/image-sharing' }, { label: 'Delete' }]}
      />
      {isFailed(data) ? (
        <ShareFailed action={<TryAgain />}>{data.error}</ShareFailed>
      ) : (
        <DeleteShare key={data.share.id} share={data.share} token={data.token} now={data.now} />
      )}
    </div>
  )
}
