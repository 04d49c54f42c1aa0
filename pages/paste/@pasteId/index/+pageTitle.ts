// All pastes have the same title, because titles appear in browser histories and chats.
export default 'Paste'
