import { ArrowLeft } from 'lucide-react'
import { createDataPage } from '#pages/dataPage.tsx'
import { type PastePage, PasteScreen } from '#src/features/paste/PasteScreen.tsx'
import { rich, t } from '#src/i18n/t.ts'
import { ButtonLink } from '#src/ui/Button.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { ReportLink } from '#src/ui/ReportLink.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function Paste({ data }) {
  const page: PastePage = data
  const { id } = 'locked' in page ? page.locked : page.paste
  return (
    <div className="wrap">
      <PageHeader
        title={t('paste.paste')}
        trail={[{ label: t('site.pasteService'), href: '/paste-service' }, { label: t('paste.paste') }]}
        action={
          <ButtonLink variant="text" href="/paste-service">
            <ArrowLeft className="icon icon-s" />
            {t('paste.back')}
          </ButtonLink>
        }
      />
      <PasteScreen key={id} page={page} />
      <p className="hint">{rich('paste.report', { link: () => <ReportLink path={`/paste/${id}`} /> })}</p>
    </div>
  )
})
