import type { Catalogue } from '#src/i18n/types.ts'

export default {
  by: 'de <b>{name}</b>',
  cancel: 'Cancelar',
  characters: '{count, plural, one {# carácter} other {# caracteres}}',
  close: 'Cerrar',
  created: 'Creado el <time></time>',
  expiration: 'Caducidad',
  hours: '{count, plural, one {{count} hora} other {{count} horas}}',
  oneWeek: '1 semana',
  view: 'Ver',
  views: '{count, plural, one {{count} visita} other {{count} visitas}}',
} satisfies Catalogue['ui']
