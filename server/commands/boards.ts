import { runCommand, usageError } from '#server/core/cli/command.ts'
import { changeModerator, findBoard, listBoards } from '#server/features/board/boards.ts'

const USAGE = `npm run boards -- list
npm run boards -- moderators ID                       who they are
npm run boards -- moderators ID add|remove EMAIL`

runCommand(USAGE, async (services, [action, boardId, change, email]) => {
  if (action === 'list' && !boardId) {
    for (const board of await listBoards(services)) {
      process.stdout.write(`${board.id}\t${board.name}\t${board.moderators.join(' ')}\n`)
    }
    return
  }
  if (action !== 'moderators' || !boardId) throw usageError()
  if (change !== undefined) {
    if ((change !== 'add' && change !== 'remove') || !email) throw usageError()
    await changeModerator(services, boardId, change, email.toLowerCase())
  }
  const { moderators } = await findBoard(services, boardId)
  process.stdout.write(`Moderators of /${boardId}/: ${moderators.join(', ') || 'nobody'}\n`)
})
