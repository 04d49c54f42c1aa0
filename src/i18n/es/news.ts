import type { Catalogue } from '#src/i18n/types.ts'

export const news = {
  allSources: 'Todas las fuentes',
  day: '{weekday}, {date}',
  description:
    'Titulares de tecnología y seguridad de los sitios que lee una comunidad de IRC, los más recientes primero.',
  descriptionOfPage: '{text} Página {page} de {pages}.',
  descriptionOfSource: 'Titulares recientes de {source}, los más nuevos primero, reunidos por una comunidad de IRC.',
  failed: 'No se pudieron cargar los artículos. Inténtalo de nuevo más tarde.',
  feedUrl: 'Escribe una URL http o https',
  go: 'Ir',
  goToPage: 'Ir a la página',
  lead: 'Titulares de los sitios que leemos, los más recientes primero.',
  leadOfSource: 'Titulares de {source}, los más recientes primero.',
  none: 'No hay artículos en este momento.',
  noneHint: 'Leemos nuestras fuentes a todas horas. Los titulares nuevos aparecen aquí solos.',
  page: 'page debe ser un número entero de 1 a {max}',
  source: 'source debe ser el host de un sitio',
  sources: 'Fuentes',
  title: 'Hoy en tecnología',
  titleOfPage: '{title}, página {page}',
  titleOfSource: 'Hoy en tecnología: {source}',
} satisfies Catalogue['news']

export const feed = {
  answers: '{count, plural, one {# respuesta hasta ahora} other {# respuestas hasta ahora}}',
  comment: 'Comentario n.º {id}',
  episode: '{name}, {date}',
  live: '{streamer} está en directo.',
  liveShow: '{title}, con {streamer}, está en directo.',
  liveTitle: '{streamer} en directo',
  moreTracks: '… y {more} más',
  newPaste: 'Nuevo paste',
  recording: 'Grabación: {recording}',
  reply: 'Respuesta n.º {id} al n.º {parentId}',
  scheduleAndStream: 'Programación: {schedule}\nEmisión: {stream}',
  shows: 'Programas de radio de {site}',
  showsAbout: 'Programas grabados de {site}. {tagline}',
  streamer: '{name} en {site}',
  streamerAbout: 'Programas grabados de {name} en {site}',
  visualiser: 'Visualizador de la radio',
  wasLive: '{streamer} estuvo {duration} en directo.',
} satisfies Catalogue['feed']
