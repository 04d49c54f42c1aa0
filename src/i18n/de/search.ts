import type { Catalogue } from '#src/i18n/types.ts'

export default {} satisfies Catalogue['search']
