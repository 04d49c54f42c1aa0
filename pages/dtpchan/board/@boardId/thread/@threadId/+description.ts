import { describeThread } from '#src/features/board/describeThread.ts'
import { fromData } from '../../../../../load.ts'
import type { Data } from './+data.ts'

export default fromData<Data>(({ thread }) => describeThread(thread), 'A thread of DTPChan')
