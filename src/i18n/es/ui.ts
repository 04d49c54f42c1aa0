import type { Catalogue } from '#src/i18n/types.ts'

export default {
  by: 'de <b>{name}</b>',
  cancel: 'Cancelar',
  characters: '{count, plural, one {# carácter} other {# caracteres}}',
  close: 'Cerrar',
  copy: 'Copiar',
  delete: 'Eliminar',
  edit: 'Editar',
  home: 'Inicio',
  loading: 'Cargando…',
  notLoaded: 'Esta parte no se pudo cargar. Inténtalo de nuevo o recarga la página.',
  save: 'Guardar',
  search: 'Buscar',
  tryAgain: 'Reintentar',
  withHost: 'con <nick>{name}</nick>',
} satisfies Catalogue['ui']
