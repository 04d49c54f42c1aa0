export default 'Free programs that our IRC community uses every day: development, security, networking, media and more.'
