export default 'Bans, for moderators.'
