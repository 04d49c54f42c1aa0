import { useData } from 'vike-react/useData'
import { TryAgain } from '#pages/dataPage.tsx'
import { isFailed } from '#pages/pageData.ts'
import { SHARE_CALL } from '#src/contract/image.ts'
import { ShareFailed } from '#src/features/image/ShareScreen.tsx'
import { fitInside } from '#src/lib/fitInside.ts'
import { trpc } from '#src/lib/trpc.ts'
import { DeletePage } from '#src/ui/DeletePage.tsx'
import { TimeRemaining } from '#src/ui/TimeRemaining.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const data = useData<Data>()
  if (isFailed(data)) {
    const failure = <ShareFailed action={<TryAgain />}>{data.error}</ShareFailed>
    return <DeletePage noun="image" form={null} failure={failure} />
  }
  if ('isDeleted' in data) return <DeletePage noun="image" form={null} />
  const { share, token, refusal, now } = data
  const { id, preview, filename, expiresAt } = share
  const form = {
    action: `${SHARE_CALL}/${id}/delete`,
    token,
    refusal,
    onDelete: async () => (await trpc()).image.delete.mutate({ id, token }),
    keepHref: `/image-share/${id}`,
    children: (
      <>
        <img src={preview.url} {...fitInside(preview, { width: 320, height: 240 })} alt={filename} />
        <p>
          <TimeRemaining expiresAt={expiresAt} now={now} />
        </p>
      </>
    ),
  }
  return <DeletePage key={id} noun="image" form={form} />
}
