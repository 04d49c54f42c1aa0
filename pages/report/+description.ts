export default 'Tell the moderators about a post, paste, shared image or program.'
