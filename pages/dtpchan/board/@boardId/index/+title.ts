import type { PageContext } from 'vike/types'
import type { Data } from './+data.ts'

export default ({ data }: PageContext) => {
  const { board } = (data as Data).list
  return `/${board.id}/ - ${board.name}`
}
