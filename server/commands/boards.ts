import { printOutput } from '#server/core/cli/terminal.ts'
import { changeModerator } from '#server/features/board/boards/boardChanges.ts'
import { findBoard, listBoards } from '#server/features/board/boards/boards.ts'
import { runCommand, UsageError } from './command.ts'

const USAGE = `npm run boards -- list                                lists all boards and their moderators
npm run boards -- moderators ID                       lists the moderators of a board
npm run boards -- moderators ID add|remove EMAIL      adds or removes a moderator`

runCommand(USAGE, async (services, [action, boardId, change, email, ...others]) => {
  if (action === 'list' && !boardId) {
    for (const board of await listBoards(services)) {
      printOutput(`${board.id}\t${board.name}\t${board.moderators.join(' ')}`)
    }
    return
  }
  if (action !== 'moderators' || !boardId || others.length > 0) throw new UsageError()
  if (change !== undefined) {
    if ((change !== 'add' && change !== 'remove') || !email) throw new UsageError()
    await changeModerator(services, boardId, change, email.toLowerCase())
  }
  const { moderators } = (await findBoard(services, boardId)).board
  printOutput(`Moderators of /${boardId}/: ${moderators.join(', ') || 'none'}`)
})
