export default 'Moderation log'
