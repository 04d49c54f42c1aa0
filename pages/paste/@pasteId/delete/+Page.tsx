import { loaded } from '#pages/loaded.tsx'
import { DeletePaste } from '#src/features/paste/DeletePaste.tsx'
import { PageHead } from '#src/ui/PageHead.tsx'
import type { Data } from './+data.ts'

export default loaded<Data>('Delete paste', function Delete({ data }) {
  return (
    <div className="wrap">
      <PageHead
        title="Delete this paste?"
        trail={[{ label: 'Paste Service', href: '/paste-service' }, { label: 'Delete' }]}
      />
      <DeletePaste key={data.pasteId} {...data} />
    </div>
  )
})
