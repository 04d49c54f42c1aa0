import { t } from '#src/i18n/t.ts'

export default () => t('branding.description')
