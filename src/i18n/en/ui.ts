export default {
  by: 'by <b>{name}</b>',
  cancel: 'Cancel',
  characters: '{count, plural, one {# character} other {# characters}}',
  close: 'Close',
  created: 'Created <time></time>',
  expiration: 'Expiration',
  hours: '{count, plural, one {{count} hour} other {{count} hours}}',
  oneWeek: '1 week',
  view: 'View',
  views: '{count, plural, one {{count} view} other {{count} views}}',
} as const
