import type { Catalogue } from '#src/i18n/types.ts'

export default {
  close: 'Schließen',
  cancel: 'Abbrechen',
  characters: '{count, plural, one {# Zeichen} other {# Zeichen}}',
  by: 'von <b>{name}</b>',
} satisfies Catalogue['ui']
