export default 'The tracks that you have marked in the player. Your browser keeps the list; nothing is sent.'
