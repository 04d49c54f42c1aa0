import type { Catalogue } from '#src/i18n/types.ts'

export default {
  again: '{tryAgain} oder geh zur {homePage}.',
  back: 'Geh zurück, um es noch einmal zu versuchen, oder geh zur {homePage}.',
  homePage: 'Startseite',
  title: 'Fehler {status}',
  tryAgain: 'Versuch es noch einmal',
} satisfies Catalogue['failure']
