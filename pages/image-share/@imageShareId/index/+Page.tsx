import { useData } from 'vike-react/useData'
import { isFailed } from '#pages/load.ts'
import { TryAgain } from '#pages/loaded.tsx'
import { ShareFailed, ShareScreen } from '#src/features/image/ShareScreen.tsx'
import { PageHead } from '#src/ui/PageHead.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const data = useData<Data>()
  return (
    <div className="wrap">
      <PageHead
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
