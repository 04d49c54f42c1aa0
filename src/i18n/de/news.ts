import type { Catalogue } from '#src/i18n/types.ts'

export const news = {
  allSources: 'Alle Quellen',
  day: '{weekday}, {date}',
  description:
    'Schlagzeilen über Technik und Sicherheit von den Websites, die eine IRC-Community liest, die neuesten zuerst.',
  descriptionOfPage: '{text} Seite {page} von {pages}.',
  descriptionOfSource: 'Aktuelle Schlagzeilen von {source}, die neuesten zuerst, gesammelt von einer IRC-Community.',
  failed: 'Die Artikel ließen sich nicht laden. Bitte versuch es später noch einmal.',
  feedUrl: 'Gib eine http- oder https-URL ein',
  go: 'Los',
  goToPage: 'Zu Seite',
  lead: 'Schlagzeilen von den Websites, die wir lesen, die neuesten zuerst.',
  leadOfSource: 'Schlagzeilen von {source}, die neuesten zuerst.',
  none: 'Im Moment gibt es keine Artikel.',
  noneHint: 'Wir lesen unsere Quellen rund um die Uhr. Neue Schlagzeilen erscheinen hier von selbst.',
  page: 'page muss eine ganze Zahl von 1 bis {max} sein',
  source: 'source muss der Host einer Website sein',
  sources: 'Quellen',
  title: 'Heute in der Technik',
  titleOfPage: '{title}, Seite {page}',
  titleOfSource: 'Heute in der Technik: {source}',
} satisfies Catalogue['news']

export const feed = {
  answers: '{count, plural, one {bisher # Antwort} other {bisher # Antworten}}',
  comment: 'Kommentar Nr. {id}',
  episode: '{name} am {date}',
  live: '{streamer} ist auf Sendung.',
  liveShow: '{title} mit {streamer} ist auf Sendung.',
  liveTitle: '{streamer} live',
  moreTracks: '… und {more} weitere',
  newPaste: 'Neues Paste',
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
