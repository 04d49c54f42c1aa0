import { fromData } from '../../../../load.ts'
import type { Data } from './+data.ts'

export default fromData<Data>(({ list }) => list.board.description, 'A board of DTPChan')
