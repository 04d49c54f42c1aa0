import type { Catalogue } from '#src/i18n/types.ts'

export default {
  add: 'Añadir',
  backToImageSharing: 'Volver a Compartir imágenes',
  by: 'de <b>{name}</b>',
  bytes: '{count, plural, one {# byte} other {# bytes}}',
  cancel: 'Cancelar',
  characters: '{count, plural, one {# carácter} other {# caracteres}}',
  close: 'Cerrar',
  copy: 'Copiar',
  created: 'Creado el <time></time>',
  delete: 'Eliminar',
  expiration: 'Caducidad',
  expires: 'Caduca: <time></time>',
  hours: '{count, plural, one {{count} hora} other {{count} horas}}',
  newTab: '(se abre en una pestaña nueva)',
  oneWeek: '1 semana',
  search: 'Buscar',
  view: 'Ver',
  views: '{count, plural, one {{count} visita} other {{count} visitas}}',
} satisfies Catalogue['ui']
