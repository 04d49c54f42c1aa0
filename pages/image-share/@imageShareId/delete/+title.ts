import { titled } from '#pages/title.ts'

export default titled('Delete shared image')
