import { titled } from '#pages/title.ts'

export default titled('DTPChan Admin Login')
