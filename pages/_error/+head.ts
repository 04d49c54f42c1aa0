import type { Head } from '#pages/head.ts'
import { t } from '#src/i18n/t.ts'

export default {
  title: ({ pageContext: { is404, abortStatusCode, abortReason } }) => {
    const missing = abortStatusCode === 404 || (abortStatusCode === undefined && is404)
    const fallback = missing ? t('ui.pageNotFound') : t('site.errorTitle')
    return typeof abortReason === 'string' ? abortReason : fallback
  },
  noindex: true,
} satisfies Head
