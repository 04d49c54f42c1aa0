import { t } from '#src/i18n/t.ts'

export default {
  get error() {
    return t('paste.loadFailed')
  },
}
