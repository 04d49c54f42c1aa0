import { t } from '#src/i18n/t.ts'

// The title says nothing about the paste, because it appears in browser histories and chats.
export default () => t('paste.paste')
