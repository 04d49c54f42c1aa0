import { titled } from '../title.ts'

export default titled('Account')
