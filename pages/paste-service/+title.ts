import { titled } from '../title.ts'

export default titled('Paste Service')
