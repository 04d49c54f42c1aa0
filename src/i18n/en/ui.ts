export default {
  close: 'Close',
  cancel: 'Cancel',
  characters: '{count, plural, one {# character} other {# characters}}',
  by: 'by <b>{name}</b>',
} as const
