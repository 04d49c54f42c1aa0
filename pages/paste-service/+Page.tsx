import { useData } from 'vike-react/useData'
import { PasteFeatures } from '#src/features/paste/PasteFeatures.tsx'
import { PasteForm } from '#src/features/paste/PasteForm.tsx'
import { t } from '#src/i18n/t.ts'
import { FormPage } from '#src/ui/FormPage.tsx'
import type { Data } from './+data.ts'

export default function Page() {
  const { siteUrl, submittedForm, idempotencyKey } = useData<Data>()
  return (
    <FormPage title={t('site.pasteService')} lead={t('paste.lead')} aside={<PasteFeatures siteUrl={siteUrl} />}>
      <PasteForm submitted={submittedForm} idempotencyKey={idempotencyKey} />
    </FormPage>
  )
}
