export default 'Reports, held posts and appeals that wait for a moderator.'
