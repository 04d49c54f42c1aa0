export default 'Feeds · Admin'
