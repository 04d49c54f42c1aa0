import { ArrowLeft } from 'lucide-react'
import { loaded } from '#pages/loaded.tsx'
import { type PastePage, PasteScreen } from '#src/features/paste/PasteScreen.tsx'
import { ButtonLink } from '#src/ui/Button.tsx'
import { PageHead } from '#src/ui/PageHead.tsx'
import type { Data } from './+data.ts'

export default loaded<Data>('Paste', function Paste({ data }) {
  const page: PastePage = data
  const { id } = 'closed' in page ? page.closed : page.paste
  return (
    <div className="wrap">
      <PageHead
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
    </div>
  )
})
