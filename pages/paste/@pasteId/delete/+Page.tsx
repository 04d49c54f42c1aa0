import { createDataPage } from '#pages/dataPage.tsx'
import { DeletePaste } from '#src/features/paste/DeletePaste.tsx'
import { Deleted } from '#src/ui/DeletePanel.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>('Delete paste', function Delete({ data }) {
  return (
    <div className="wrap">
      <PageHeader
        title="Delete this paste?"
        trail={[{ label: 'Paste Service', href: '/paste-service' }, { label: 'Delete' }]}
      />
      {'isDeleted' in data ? <Deleted noun="paste" /> : <DeletePaste key={data.pasteId} {...data} />}
    </div>
  )
})
