import { fromData } from '../../../../../load.ts'
import type { Data } from './+data.ts'

export default fromData<Data>(({ thread }) => `${thread.title} - /${thread.boardId}/`, 'Thread')
