import { createDataPage } from '#pages/dataPage.tsx'
import { Prose } from '#src/features/site/Prose.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import type { Data } from './+data.ts'

export default createDataPage<Data>(function SitePage({ data: { title, html } }) {
  return (
    <div className="wrap">
      <PageHeader title={title} />
      <Prose html={html} />
    </div>
  )
})
