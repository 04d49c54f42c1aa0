// All shared images have the same title, because titles appear in browser histories and chats.
export default 'Shared image'
