import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  // The title says nothing about the image, because it appears in browser histories and chats.
  title: () => t('image.sharedImage'),
  description: () => t('image.itemDescription'),
  noindex: true,
  failure: () => t('image.loadShareFailed'),
  // Link previews show the image, although search engines must not index the page.
  preview: ({ data: { share } }) => ({ image: { ...share.preview, alt: t('image.sharedImage') } }),
} satisfies Head<Data>
