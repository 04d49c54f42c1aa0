import type { Catalogue } from '#src/i18n/types.ts'

export default {
  ago: 'vor {duration}',
  date: '{day}.{month}.{year}',
  daysAgo: 'vor {count, plural, one {# Tag} other {# Tagen}}',
  hours: '{count} Std.',
  inDuration: 'in {duration}',
  justNow: 'gerade eben',
  minutes: '{count} Min.',
  today: 'heute {time}',
  tomorrow: 'morgen {time}',
  yesterday: 'gestern {time}',
} satisfies Catalogue['time']
