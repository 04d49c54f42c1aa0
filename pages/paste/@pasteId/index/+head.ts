import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  // The title says nothing about the paste, because it appears in browser histories and chats.
  title: () => t('paste.paste'),
  description: () => t('paste.itemDescription'),
  noindex: true,
  failure: () => t('paste.loadFailed'),
} satisfies Head<Data>
