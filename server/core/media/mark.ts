/** The mark of a site without a logo: its units wide and high, with a baseline. */
export const MARK = 'M1 5h2v6H1zM5 1h2v10H5zM9 5h2v10H9zM13 5h2v6h-2z'
export const MARK_UNITS = 16
export const MARK_BASELINE = 11

export const createMark = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MARK_UNITS} ${MARK_UNITS}"><title>Icon</title><path fill="${colour}" d="${MARK}"/></svg>`
