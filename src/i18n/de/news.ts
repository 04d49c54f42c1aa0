import type { Catalogue } from '#src/i18n/types.ts'

export default {
  allSources: 'Alle Quellen',
  day: '{weekday}, {date}',
  description:
    'Schlagzeilen über Technik und Sicherheit von den Websites, die eine IRC-Community liest, die neuesten zuerst.',
  descriptionOfPage: '{text} Seite {page} von {pages}.',
  descriptionOfSource: 'Aktuelle Schlagzeilen von {source}, die neuesten zuerst, gesammelt von einer IRC-Community.',
  failed: 'Die Artikel ließen sich nicht laden. Bitte versuch es später noch einmal.',
  go: 'Los',
  goToPage: 'Zu Seite',
  lead: 'Schlagzeilen von den Websites, die wir lesen, die neuesten zuerst.',
  leadOfSource: 'Schlagzeilen von {source}, die neuesten zuerst.',
  none: 'Im Moment gibt es keine Artikel.',
  sources: 'Quellen',
  title: 'Heute in der Technik',
  titleOfPage: '{title}, Seite {page}',
  titleOfSource: 'Heute in der Technik: {source}',
} satisfies Catalogue['news']
