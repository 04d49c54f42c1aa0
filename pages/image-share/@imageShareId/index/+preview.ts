import type { Preview } from '#pages/head.ts'
import { derivedFromData } from '#pages/pageData.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

// Link previews show the image, although search engines must not index the page.
export default derivedFromData<Data, Preview>(
  ({ share }) => ({ image: { ...share.preview, alt: t('image.sharedImage') } }),
  {},
)
