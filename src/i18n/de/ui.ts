import type { Catalogue } from '#src/i18n/types.ts'

export default {
  allBoards: 'Alle Boards',
  attachedTo: 'Angehängt an Nr. {id}',
  bytes: '{count, plural, one {# Byte} other {# Byte}}',
  cancel: 'Abbrechen',
  captchaQuestion: 'Was ist {sum}?',
  changePostFailed: 'Der Beitrag ließ sich nicht ändern',
  close: 'Schließen',
  delete: 'Löschen',
  loading: 'Lädt …',
  newTab: '(öffnet in neuem Tab)',
  pageNotFound: 'Seite nicht gefunden',
  postNumber: 'Nr. {id}',
  reasonOptionalHint: 'Freiwillig. Steht im öffentlichen Protokoll.',
  search: 'Suchen',
} satisfies Catalogue['ui']
