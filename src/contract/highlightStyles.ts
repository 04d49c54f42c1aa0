export const highlightStyles = [
  'plain',
  'comment',
  'keyword',
  'string',
  'number',
  'title',
  'type',
  'name',
  'meta',
  'added',
  'removed',
  'strong',
] as const
export type HighlightStyle = (typeof highlightStyles)[number]

/** Pairs of numbers: run length in UTF-16 units, then the index of the run's style in highlightStyles. */
export type HighlightRuns = number[]
