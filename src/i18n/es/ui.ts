import type { Catalogue } from '#src/i18n/types.ts'

export default {
  bytes: '{count, plural, one {# byte} other {# bytes}}',
} satisfies Catalogue['ui']
