import type { Catalogue } from '#src/i18n/types.ts'

export default {
  again: '{tryAgain} o ve a la {homePage}.',
  back: 'Vuelve atrás para intentarlo de nuevo, o ve a la {homePage}.',
  homePage: 'página de inicio',
  title: 'Error {status}',
  tryAgain: 'Inténtalo de nuevo',
} satisfies Catalogue['failure']
