import { t } from '#src/i18n/t.ts'

export default () => t('admin.pageTitle', { section: t('branding.section') })
