import { createDataPage } from '#pages/dataPage.tsx'
import { PASTE_CALL } from '#src/contract/paste.ts'
import { rich } from '#src/i18n/t.ts'
import { trpc } from '#src/lib/trpc.ts'
import { DeletePage } from '#src/ui/DeletePage.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import { Time } from '#src/ui/Time.tsx'
import { TimeRemaining } from '#src/ui/TimeRemaining.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Delete({ data }) {
  if ('isDeleted' in data) return <DeletePage noun="paste" form={null} />
  const { pasteId, token, refusal, createdAt, expiresAt, now } = data
  const form = {
    action: `${PASTE_CALL}/${encodeURIComponent(pasteId)}/delete`,
    token,
    refusal,
    onDelete: async () => (await trpc()).paste.delete.mutate({ pasteId, token }),
    keepHref: '/paste-service',
    children: (
      <div className="cluster">
        <Tag>{rich('ui.created', { time: () => <Time date={createdAt} /> })}</Tag>
        <TimeRemaining expiresAt={expiresAt} now={now} />
      </div>
    ),
  }
  return <DeletePage key={pasteId} noun="paste" form={form} />
})
