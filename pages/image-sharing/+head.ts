import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'
import type { Data } from './+data.ts'

export default {
  title: () => t('site.imageSharing'),
  description: () => t('image.description'),
  fallbackData: { siteUrl: '', submittedForm: null, idempotencyKey: '' },
} satisfies Head<Data>
