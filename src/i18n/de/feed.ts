import type { Catalogue } from '#src/i18n/types.ts'

export default {
  answers: '{count, plural, one {bisher # Antwort} other {bisher # Antworten}}',
  comment: 'Kommentar Nr. {id}',
  episode: '{name} am {date}',
  live: '{streamer} ist auf Sendung.',
  liveShow: '{title} mit {streamer} ist auf Sendung.',
  liveTitle: '{streamer} live',
  moreTracks: '… und {more} weitere',
  newPaste: 'Neues Paste',
  news: 'Heute in der Technik',
  recording: 'Aufzeichnung: {recording}',
  reply: 'Antwort Nr. {id} auf Nr. {parentId}',
  scheduleAndStream: 'Sendeplan: {schedule}\nStream: {stream}',
  shows: 'Radiosendungen von {site}',
  showsAbout: 'Aufgezeichnete Sendungen von {site}. {tagline}',
  streamer: '{name} auf {site}',
  streamerAbout: 'Aufgezeichnete Sendungen von {name} auf {site}',
  visualiser: 'Radio-Visualisierung',
  wasLive: '{streamer} war {duration} auf Sendung.',
} satisfies Catalogue['feed']
