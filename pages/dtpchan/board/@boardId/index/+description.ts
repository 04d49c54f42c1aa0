import type { PageContext } from 'vike/types'
import type { Data } from './+data.ts'

export default ({ data }: PageContext) => (data as Data).list.board.description
