import { titled } from '../title.ts'

export default titled('Debauched Blog')
