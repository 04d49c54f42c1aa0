import { createTitle } from '#pages/title.ts'

export default createTitle('Tech, radio and hardware on IRC')
