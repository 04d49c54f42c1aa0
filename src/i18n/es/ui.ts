import type { Catalogue } from '#src/i18n/types.ts'

export default {
  close: 'Cerrar',
  cancel: 'Cancelar',
  characters: '{count, plural, one {# carácter} other {# caracteres}}',
  by: 'de <b>{name}</b>',
} satisfies Catalogue['ui']
