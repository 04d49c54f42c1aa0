import { useState } from 'react'
import { createDataPage } from '#pages/dataPage.tsx'
import { PASTE_CALL } from '#src/contract/paste.ts'
import { rich, t } from '#src/i18n/t.ts'
import { trpc } from '#src/lib/trpc.ts'
import { Deleted, DeletePanel } from '#src/ui/DeletePanel.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Tag } from '#src/ui/Tag.tsx'
import { Time } from '#src/ui/Time.tsx'
import { TimeRemaining } from '#src/ui/TimeRemaining.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Delete({ data }) {
  const [deleted, setDeleted] = useState<unknown>()
  const isDeleted = 'isDeleted' in data || deleted === data
  return (
    <div className="wrap">
      <PageHeader
        title={isDeleted ? t('paste.deletedTitle') : t('paste.deleteQuestion')}
        trail={[{ label: t('site.pasteService'), href: '/paste-service' }, { label: t('ui.delete') }]}
      />
      {isDeleted ? (
        <Deleted noun="paste" />
      ) : (
        <DeletePaste key={data.pasteId} {...data} onDeleted={() => setDeleted(data)} />
      )}
    </div>
  )
})

type DeletePasteProps = {
  pasteId: string
  token: string
  refusal?: string
  createdAt: Date
  expiresAt: Date
  now: Date
  onDeleted: () => void
}

function DeletePaste({ pasteId, token, refusal, createdAt, expiresAt, now, onDeleted }: DeletePasteProps) {
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
