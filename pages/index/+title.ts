import { titled } from '#pages/title.ts'

export default titled('Tech, radio and hardware on IRC')
