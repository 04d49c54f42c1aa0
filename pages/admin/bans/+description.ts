export default 'Bans and appeals, for moderators.'
