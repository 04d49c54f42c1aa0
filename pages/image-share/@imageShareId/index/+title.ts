import { createTitle } from '#pages/title.ts'

// The same for each: a title lands in histories and in other people's chats.
export default createTitle('Shared image')
