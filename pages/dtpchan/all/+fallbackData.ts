import { boardMessages } from '#src/contract/board.ts'

export default { error: boardMessages.loadThreads }
