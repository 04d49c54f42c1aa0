import type { Catalogue } from '#src/i18n/types.ts'

export default {
  allBoards: 'Todos los tablones',
  attachedTo: 'Adjunto al n.º {id}',
  bytes: '{count, plural, one {# byte} other {# bytes}}',
  cancel: 'Cancelar',
  captchaQuestion: '¿Cuánto es {sum}?',
  changePostFailed: 'No se pudo cambiar el mensaje',
  close: 'Cerrar',
  delete: 'Eliminar',
  loading: 'Cargando…',
  newTab: '(se abre en una pestaña nueva)',
  pageNotFound: 'Página no encontrada',
  postNumber: 'N.º {id}',
  reasonOptionalHint: 'Opcional. Aparece en el registro público.',
  search: 'Buscar',
} satisfies Catalogue['ui']
