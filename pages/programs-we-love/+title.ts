import { titled } from '../title.ts'

export default titled('Programs We Love')
