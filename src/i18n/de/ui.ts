import type { Catalogue } from '#src/i18n/types.ts'

export default {
  bytes: '{count, plural, one {# Byte} other {# Byte}}',
} satisfies Catalogue['ui']
