/**
 * Matches more combining marks in a row than any language has. The halfwidth voiced sound marks become combining
 * marks when they are normalized. The SQL function `search_fold` has the same characters and number.
 */
const LONG_MARK_RUN = /[\p{M}\uff9e\uff9f]{17,}/gu

/** Bounds the time of `normalize`, which is quadratic for a run of combining marks: 26 s for 260,000 of them. */
export const removeLongMarkRuns = (text: string): string => text.replace(LONG_MARK_RUN, '')
