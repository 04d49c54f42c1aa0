export default {
  bytes: '{count, plural, one {# byte} other {# bytes}}',
} as const
