export { currentLanguage as default } from '#src/i18n/currentLanguage.ts'
