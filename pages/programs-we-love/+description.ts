export default 'Free programs that people of an IRC community use every day: development, security, networking, media and more.'
