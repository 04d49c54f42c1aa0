import type { Catalogue } from '#src/i18n/types.ts'

export default {
  answers: '{count, plural, one {# respuesta hasta ahora} other {# respuestas hasta ahora}}',
  comment: 'Comentario n.º {id}',
  episode: '{name}, {date}',
  live: '{streamer} está en directo.',
  liveShow: '{title}, con {streamer}, está en directo.',
  liveTitle: '{streamer} en directo',
  moreTracks: '… y {more} más',
  newPaste: 'Nuevo paste',
  news: 'Hoy en tecnología',
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
