export default 'Ask the moderators to end a ban.'
