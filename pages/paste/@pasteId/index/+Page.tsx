import { ArrowLeft } from 'lucide-react'
import { createDataPage } from '#pages/dataPage.tsx'
import { type PastePage, PasteScreen } from '#src/features/paste/PasteScreen.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { ReportLink } from '#src/ui/ReportLink.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>('Paste', function Paste({ data }) {
  const page: PastePage = data
  const { id } = 'locked' in page ? page.locked : page.paste
  return (
    <div className="wrap">
      <PageHeader
        title="Paste"
        trail={[{ label: 'Paste Service', href: '/paste-service' }, { label: 'Paste' }]}
        action={
          <ButtonLink variant="text" href="/paste-service">
            <ArrowLeft className="icon icon-s" />
            Back
          </ButtonLink>
        }
      />
      <PasteScreen key={id} page={page} />
      <p className="hint">
        Is something wrong with this paste? <ReportLink path={`/paste/${id}`} />
      </p>
    </div>
  )
})
