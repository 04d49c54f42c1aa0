import { titled } from '#pages/title.ts'

export default titled('Programs We Love')
