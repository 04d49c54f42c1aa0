import { excerpt } from '#src/lib/excerpt.ts'
import { fromData } from '../../../../../load.ts'
import type { Data } from './+data.ts'

export default fromData<Data>(({ thread }) => excerpt(thread.content, 160), 'A thread of DTPChan')
