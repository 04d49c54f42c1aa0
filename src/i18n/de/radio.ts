import type { Catalogue } from '#src/i18n/types.ts'

export default {
  full: 'Das Radio ist gerade voll',
  fullNetwork: 'In deinem Netz hören schon zu viele zu',
  listenerForbidden: 'Nur Streamer und Admins sehen, wie viele zuhören',
  listenerHours: 'Die Stunden müssen eine Zahl von 1 bis {max} sein',
  refusedSource:
    'Die Website lehnt {program} aus deinem Netz ab: Das Streaming-Passwort ist falsch ({attempts, plural, one {# Versuch} other {# Versuche}}). Korrigiere das Passwort im Programm.',
  requestFull: 'Es warten zu viele Musikwünsche. Bitte versuche es später noch einmal.',
  requestNoMatch: 'Kein Titel passt',
  requestNotOnAir: 'Das können nur Admins und der Streamer auf Sendung',
  requestOff: 'Dieser Sender nimmt keine Musikwünsche an',
  requestOutcome: 'Ein Musikwunsch wurde gespielt oder übersprungen',
  requestQuery: 'Eine Suche hat höchstens {max} Zeichen',
  requestRecent: 'Diesen Titel hat sich gerade erst jemand gewünscht.',
  requestRequestNotFound: 'Dieser Musikwunsch wartet nicht',
  requestStarting: 'Dieser Musikwunsch wird gleich gespielt',
  requestTooMany: 'Zu viele Musikwünsche aus deinem Netz.',
  requestTooManyFromUser: 'Du hast dir zu viele Titel gewünscht.',
  requestTrack: 'Bitte wähle einen Titel',
  requestTrackNotFound: 'Titel nicht gefunden',
  requestWaiting: 'Dieser Titel wartet schon',
  stationNotFound: 'Sender nicht gefunden',
  unavailable: 'Das Radio antwortet nicht',
  unheard: 'Von <nick>{name}</nick> kommt kein Ton. Bis er zurück ist, spielt die Station.',
  webhookToken: 'Der Token fehlt oder ist falsch',
} satisfies Catalogue['radio']
