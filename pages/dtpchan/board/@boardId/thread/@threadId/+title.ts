import type { PageContext } from 'vike/types'
import type { Data } from './+data.ts'

export default ({ data }: PageContext) => {
  const { board, thread } = data as Data
  return `${thread.title} - /${board.id}/`
}
