// The title says nothing about the image, because it appears in browser histories and chats.
export default 'Shared image'
