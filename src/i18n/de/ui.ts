import type { Catalogue } from '#src/i18n/types.ts'

export default {
  add: 'Hinzufügen',
  backToImageSharing: 'Zurück zu „Bilder teilen“',
  by: 'von <b>{name}</b>',
  bytes: '{count, plural, one {# Byte} other {# Byte}}',
  cancel: 'Abbrechen',
  characters: '{count, plural, one {# Zeichen} other {# Zeichen}}',
  close: 'Schließen',
  copy: 'Kopieren',
  created: 'Erstellt am <time></time>',
  delete: 'Löschen',
  expiration: 'Ablauf',
  expires: 'Läuft ab: <time></time>',
  hours: '{count, plural, one {{count} Stunde} other {{count} Stunden}}',
  newTab: '(öffnet in neuem Tab)',
  oneWeek: '1 Woche',
  search: 'Suchen',
  view: 'Ansehen',
  views: '{count, plural, one {{count} Aufruf} other {{count} Aufrufe}}',
} satisfies Catalogue['ui']
