import type { Catalogue } from '#src/i18n/types.ts'

export default {
  by: 'von <b>{name}</b>',
  cancel: 'Abbrechen',
  characters: '{count, plural, one {# Zeichen} other {# Zeichen}}',
  close: 'Schließen',
  created: 'Erstellt am <time></time>',
  expiration: 'Ablauf',
  hours: '{count, plural, one {{count} Stunde} other {{count} Stunden}}',
  oneWeek: '1 Woche',
  view: 'Ansehen',
  views: '{count, plural, one {{count} Aufruf} other {{count} Aufrufe}}',
} satisfies Catalogue['ui']
