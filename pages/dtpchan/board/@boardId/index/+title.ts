import { fromData } from '../../../../load.ts'
import type { Data } from './+data.ts'

export default fromData<Data>(({ list: { board } }) => `/${board.id}/ - ${board.name}`, 'Board')
