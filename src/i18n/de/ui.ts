import type { Catalogue } from '#src/i18n/types.ts'

export default {
  by: 'von <b>{name}</b>',
  cancel: 'Abbrechen',
  characters: '{count, plural, one {# Zeichen} other {# Zeichen}}',
  close: 'Schließen',
  copy: 'Kopieren',
  delete: 'Löschen',
  edit: 'Bearbeiten',
  home: 'Start',
  loading: 'Lädt …',
  notLoaded: 'Dieser Teil konnte nicht geladen werden. Versuche es noch einmal oder lade die Seite neu.',
  save: 'Speichern',
  search: 'Suchen',
  tryAgain: 'Noch einmal versuchen',
  withHost: 'mit <nick>{name}</nick>',
} satisfies Catalogue['ui']
