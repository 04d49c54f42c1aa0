import { createTitle } from '#pages/title.ts'

export default createTitle('Programs We Love')
