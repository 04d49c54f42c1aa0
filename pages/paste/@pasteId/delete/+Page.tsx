import { useState } from 'react'
import { createDataPage } from '#pages/dataPage.tsx'
import { DeletePaste } from '#src/features/paste/DeletePaste.tsx'
import { t } from '#src/i18n/t.ts'
import { Deleted } from '#src/ui/DeletePanel.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
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
