import { createTitle } from '#pages/title.ts'

export default createTitle('Delete shared image')
