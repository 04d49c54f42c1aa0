// The title says nothing about the paste, because it appears in browser histories and chats.
export default 'Paste'
