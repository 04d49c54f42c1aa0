export default 'Reports that wait for a moderator.'
