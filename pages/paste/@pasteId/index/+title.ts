import { createTitle } from '#pages/title.ts'

// The same for all: titles appear in browser histories and chats.
export default createTitle('Paste')
