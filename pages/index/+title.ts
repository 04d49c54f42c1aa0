import { titled } from '../title.ts'

export default titled('Tech, radio and hardware on IRC')
