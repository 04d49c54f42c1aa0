import { useData } from 'vike-react/useData'
import { ShareAside, ShareWarning } from '#src/features/image/ShareAside.tsx'
import { ShareForm } from '#src/features/image/ShareForm.tsx'
import { t } from '#src/i18n/t.ts'
import { FormPage } from '#src/ui/FormPage.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const { siteUrl, submittedForm, idempotencyKey } = useData<Data>()
  return (
    <FormPage title={t('site.imageSharing')} lead={t('image.lead')} aside={<ShareAside siteUrl={siteUrl} />}>
      <ShareWarning />
      <ShareForm submitted={submittedForm} idempotencyKey={idempotencyKey} />
    </FormPage>
  )
}
