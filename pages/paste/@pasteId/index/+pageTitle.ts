// The same for all: titles appear in browser histories and chats.
export default 'Paste'
