import { usePageContext } from 'vike-react/usePageContext'
import { isFailed } from '../../../load.ts'
import type { Data } from './+data.ts'

/** The picture for link previews: in HTML only, where the site's origin is known. */
export default function Head() {
  const { siteUrl, data } = usePageContext()
  if (!siteUrl || !data || isFailed(data)) return null
  const { preview } = (data as Exclude<Data, { error: string }>).share
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:image" content={`${siteUrl}${preview.url}`} />
      <meta property="og:image:type" content="image/jpeg" />
      <meta property="og:image:width" content={String(preview.width)} />
      <meta property="og:image:height" content={String(preview.height)} />
      <meta property="og:image:alt" content="Shared image" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
