import type { Catalogue } from '#src/i18n/types.ts'

export default {
  ago: 'hace {duration}',
  date: '{day}/{month}/{year}',
  daysAgo: 'hace {count} d',
  hours: '{count} h',
  inDuration: 'en {duration}',
  justNow: 'ahora mismo',
  minutes: '{count} min',
  today: 'hoy {time}',
  tomorrow: 'mañana {time}',
  yesterday: 'ayer {time}',
} satisfies Catalogue['time']
